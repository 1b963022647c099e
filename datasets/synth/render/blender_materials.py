# mypy: ignore-errors
"""Materials of the path tracer as Blender nodes; used by `blender_job` only.

Each material of a job is a dict with `type` and numbers; positions are in scene units (100 mm). Noise is most of the
time a photo takes: a bump evaluates its height three times, so only engraved lines and print have one.
"""

import bpy


class Graph:
    """A material's node tree with short words for adding and linking."""

    def __init__(self, name):
        self.material = bpy.data.materials.new(name)
        self.material.use_nodes = True
        self.tree = self.material.node_tree
        self.tree.nodes.clear()
        self.output = self.add("ShaderNodeOutputMaterial")
        self.shader = self.add("ShaderNodeBsdfPrincipled")
        self.link(self.shader.outputs[0], self.output.inputs["Surface"])

    def add(self, kind, **inputs):
        """Add a node; `inputs` are default values by input name (spaces as underscores)."""
        node = self.tree.nodes.new(kind)
        for key, value in inputs.items():
            node.inputs[key.replace("_", " ")].default_value = value
        return node

    def link(self, source, target):
        self.tree.links.new(source, target)

    def position(self, scale=(1.0, 1.0, 1.0), rotation=0.0, offset=(0.0, 0.0, 0.0)):
        """Return the world position, scaled per axis after a turn about z."""
        geometry = self.add("ShaderNodeNewGeometry")
        turn = self.add("ShaderNodeMapping")
        turn.inputs["Rotation"].default_value = (0.0, 0.0, rotation)
        turn.inputs["Location"].default_value = offset
        stretch = self.add("ShaderNodeMapping")
        stretch.inputs["Scale"].default_value = scale
        self.link(geometry.outputs["Position"], turn.inputs["Vector"])
        self.link(turn.outputs[0], stretch.inputs["Vector"])
        return stretch.outputs[0]

    def noise(self, vector, scale=1.0, detail=2.0, distortion=0.0):
        node = self.add("ShaderNodeTexNoise", Scale=scale, Detail=detail, Distortion=distortion)
        self.link(vector, node.inputs["Vector"])
        return node.outputs[0]

    def ramp(self, factor, stops):
        """Return a colour from `factor` by (position, rgb) stops."""
        node = self.add("ShaderNodeValToRGB")
        while len(node.color_ramp.elements) < len(stops):
            node.color_ramp.elements.new(0.5)
        for element, (place, rgb) in zip(node.color_ramp.elements, stops, strict=True):
            element.position, element.color = place, (*rgb, 1.0)
        self.link(factor, node.inputs[0])
        return node.outputs[0]

    def mix(self, factor, first, second, blend="MIX"):
        """Return a colour mixed from two outputs or rgb triples."""
        node = self.add("ShaderNodeMix")
        node.data_type, node.blend_type = "RGBA", blend
        for value, socket in ((factor, node.inputs[0]), (first, node.inputs[6]), (second, node.inputs[7])):
            if isinstance(value, (int, float)):
                socket.default_value = value
            elif isinstance(value, (list, tuple)):
                socket.default_value = (*value, 1.0)
            else:
                self.link(value, socket)
        return node.outputs[2]

    def math(self, operation, first, second=0.5):
        node = self.add("ShaderNodeMath")
        node.operation = operation
        for value, socket in ((first, node.inputs[0]), (second, node.inputs[1])):
            if isinstance(value, (int, float)):
                socket.default_value = value
            else:
                self.link(value, socket)
        return node.outputs[0]

    def bump(self, height, strength, distance=0.01):
        node = self.add("ShaderNodeBump", Strength=strength, Distance=distance)
        self.link(height, node.inputs["Height"])
        self.link(node.outputs[0], self.shader.inputs["Normal"])

    def image(self, path, colour=True):
        node = self.add("ShaderNodeTexImage")
        node.image = bpy.data.images.load(str(path))
        node.image.colorspace_settings.name = "sRGB" if colour else "Non-Color"
        node.interpolation, node.extension = "Linear", "EXTEND"
        return node.outputs[0]

    def surface(self, entry):
        """Set what all types share: roughness, a varnish coat, metal."""
        inputs = self.shader.inputs
        inputs["Roughness"].default_value = entry.get("roughness", 0.5)
        inputs["Metallic"].default_value = entry.get("metallic", 0.0)
        inputs["Coat Weight"].default_value = entry.get("coat", 0.0)
        inputs["Coat Roughness"].default_value = entry.get("coat_roughness", 0.1)


def face(graph, entry, folder):
    """Print on cardboard: the picture by UV, with the faint waviness of paper."""
    graph.link(graph.image(folder / entry["image"]), graph.shader.inputs["Base Color"])
    if entry["bump"] > 0.0:
        graph.bump(graph.noise(graph.position(), scale=entry.get("bump_scale", 25.0), detail=0.0), entry["bump"], 0.004)


def plain(graph, entry, folder):
    """One colour with a little unevenness."""
    unevenness = graph.noise(graph.position(), scale=entry.get("scale", 3.0), detail=1.0)
    dark = [channel * (1.0 - entry.get("uneven", 0.08)) for channel in entry["rgb"]]
    graph.link(graph.ramp(unevenness, [(0.3, dark), (0.7, entry["rgb"])]), graph.shader.inputs["Base Color"])


def wood(graph, entry, folder):
    """Grain: noise drawn out along one direction, growth bands, pores; `mask` is a picture of engraved lines by UV."""
    turn, offset = entry["turn"], entry["offset"]
    along = entry.get("along", 0.25)
    bands = graph.noise(graph.position((along, entry["bands"], 1.0), turn, offset), 1.0, 2.0, entry["wobble"])
    colour = graph.ramp(bands, [(0.25, entry["dark"]), (0.5, entry["mid"]), (0.75, entry["light"])])
    pores = graph.noise(graph.position((along * 4, entry["bands"] * 14, 4.0), turn, offset), 1.0, 0.0)
    colour = graph.mix(graph.ramp(pores, [(0.35, (entry["pores"],) * 3), (0.55, (0.0,) * 3)]), colour, entry["dark"])
    if entry.get("plank"):
        brick = graph.add(
            "ShaderNodeTexBrick",
            Scale=1.0,
            Mortar_Size=0.006,
            Brick_Width=entry["plank"] * 7.0,
            Row_Height=entry["plank"],
        )
        brick.inputs["Color1"].default_value = (1.0, 1.0, 1.0, 1.0)
        brick.inputs["Color2"].default_value = (entry["plank_shade"],) * 3 + (1.0,)
        brick.inputs["Mortar"].default_value = (0.15, 0.12, 0.1, 1.0)
        graph.link(graph.position((1.0, 1.0, 0.0), turn, offset), brick.inputs["Vector"])
        colour = graph.mix(1.0, colour, brick.outputs[0], "MULTIPLY")
    if entry.get("mask"):
        mask = graph.image(folder / entry["mask"], colour=False)
        colour = graph.mix(graph.math("MULTIPLY", mask, entry["mask_strength"]), colour, entry["mask_rgb"])
        graph.bump(graph.math("MULTIPLY", mask, -1.0), entry["bump"], 0.01)
    graph.link(colour, graph.shader.inputs["Base Color"])


def cloth(graph, entry, folder):
    """Woven threads, plain, striped or checked."""
    turn, offset = entry["turn"], entry["offset"]
    colour = list(entry["rgb"])
    if entry["pattern"] != "plain":
        axes = {"stripes": [(1.0, 0.0, 0.0)], "check": [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0)]}[entry["pattern"]]
        for axis in axes:
            wave = graph.add("ShaderNodeTexWave", Scale=entry["period"])
            graph.link(graph.position(axis, turn, offset), wave.inputs["Vector"])
            step = graph.ramp(wave.outputs[0], [(0.48, (0.0,) * 3), (0.52, (0.5,) * 3)])
            colour = graph.mix(step, colour, entry["second_rgb"])
    weave = graph.noise(graph.position((1.0, 1.0, 1.0), turn), 90.0, 0.0)
    shade = graph.ramp(weave, [(0.3, (0.75,) * 3), (0.7, (1.0,) * 3)])
    graph.link(graph.mix(1.0, colour, shade, "MULTIPLY"), graph.shader.inputs["Base Color"])


def marble(graph, entry, folder):
    """Stone with veins where a distorted noise crosses its middle."""
    vector = graph.position((1.0, 1.0, 1.0), entry["turn"], entry["offset"])
    veins = graph.math("ABSOLUTE", graph.math("SUBTRACT", graph.noise(vector, entry["scale"], 5.0, 0.8), 0.5))
    cloud = graph.noise(vector, entry["scale"] * 2.0, 1.0)
    ground = graph.ramp(cloud, [(0.3, entry["mid"]), (0.7, entry["light"])])
    factor = graph.ramp(veins, [(0.0, (0.9,) * 3), (entry["vein"], (0.0,) * 3)])
    graph.link(graph.mix(factor, ground, entry["dark"]), graph.shader.inputs["Base Color"])


def glass(graph, entry, folder):
    """Clear glass whose shadow is light: shadow rays pass, as caustics are switched off."""
    graph.shader.inputs["Base Color"].default_value = (*entry["rgb"], 1.0)
    graph.shader.inputs["Transmission Weight"].default_value = 1.0
    mix, clear = graph.add("ShaderNodeMixShader"), graph.add("ShaderNodeBsdfTransparent")
    clear.inputs[0].default_value = (0.85, 0.87, 0.87, 1.0)
    graph.link(graph.add("ShaderNodeLightPath").outputs["Is Shadow Ray"], mix.inputs[0])
    graph.link(graph.shader.outputs[0], mix.inputs[1])
    graph.link(clear.outputs[0], mix.inputs[2])
    graph.link(mix.outputs[0], graph.output.inputs["Surface"])


TYPES = {"face": face, "plain": plain, "wood": wood, "cloth": cloth, "marble": marble, "glass": glass}


def build_material(name, entry, folder):
    """Return a Blender material for a job's dict; an unknown type is an error that names the known ones."""
    if entry["type"] not in TYPES:
        raise ValueError(f"material {name}: type {entry['type']!r} is none of {sorted(TYPES)}")
    graph = Graph(name)
    graph.surface(entry)
    TYPES[entry["type"]](graph, entry, folder)
    return graph.material
