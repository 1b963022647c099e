"""What the training loops share: clock, moving average of the weights, log, checkpoints and precision."""

from __future__ import annotations

import copy
import math
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

import torch

_LOG_STEPS = 20
_SAVE_SECONDS = 180
_WARM_STEPS = 100


class Plan(Protocol):
    """What a run needs to know of its plan (a dataclass)."""

    @property
    def minutes(self) -> float: ...
    @property
    def lr(self) -> float: ...
    @property
    def ema_decay(self) -> float: ...


class TrainingRun:
    """One run of a network: how far it is, and its averaged weights `ema`, which are what is kept.

    A run that goes on from a checkpoint starts from the averaged weights in it, with a fresh optimizer and clock.
    What training alone needs and the network does not (`beside`, by name) is kept in the checkpoint as well.
    """

    def __init__(self, network: Any, plan: Plan, out: Path, *, resume: Path | None = None) -> None:
        self.network, self.plan, self.file = network, plan, out / "last.pt"
        self.beside: dict[str, Any] = {}
        out.mkdir(parents=True, exist_ok=True)
        if resume is not None:
            checkpoint = torch.load(resume, weights_only=True)
            network.load_state_dict(checkpoint["ema"])
            self.beside.update(checkpoint.get("beside", {}))
        self.ema = copy.deepcopy(network).eval().requires_grad_(False)
        self.step = 0
        self.losses: dict[str, float] = {}
        self._start: float | None = None
        self._saved = time.monotonic()

    def progress(self) -> float:
        """Share of the plan's time that is over; the clock starts with the first call, so that one step is taken."""
        if self._start is None:
            self._start = time.monotonic()
            return 0.0
        return (time.monotonic() - self._start) / (60 * self.plan.minutes)

    def set_learning_rate(self, optimizer: Any, progress: float) -> None:
        """Linear warm-up over 100 steps, then a cosine down to 2 % of the plan's rate at `progress` 1."""
        warm = min(1.0, (self.step + 1) / _WARM_STEPS)
        rate = self.plan.lr * warm * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * min(progress, 1.0))))
        for group in optimizer.param_groups:
            group["lr"] = rate

    def take_step(self, optimizer: Any, loss: Any, *, max_norm: float) -> None:
        """One step down the loss, gradients clipped to `max_norm`, and the weights averaged."""
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), max_norm)
        optimizer.step()
        self._average(min(self.plan.ema_decay, (1 + self.step) / (10 + self.step)))
        self.step += 1

    def _average(self, decay: float) -> None:
        with torch.no_grad():
            pairs = zip(self.ema.state_dict().values(), self.network.state_dict().values(), strict=True)
            for mean, value in pairs:
                if mean.dtype.is_floating_point:
                    mean.lerp_(value, 1 - decay)
                else:
                    mean.copy_(value)

    def note(self, losses: dict[str, float]) -> None:
        """Add the losses of a step to the running means, print them now and then, and save now and then."""
        self.losses = {name: 0.98 * self.losses.get(name, value) + 0.02 * value for name, value in losses.items()}
        if self.step % _LOG_STEPS == 0:
            seconds = self.progress() * 60 * self.plan.minutes
            means = " ".join(f"{name} {value:.3f}" for name, value in self.losses.items())
            print(f"step {self.step} {seconds / 60:.1f} min {seconds / self.step:.2f} s/step {means}", flush=True)
        if time.monotonic() - self._saved > _SAVE_SECONDS:
            self.save()

    def save(self) -> Path:
        """Write the averaged weights, the plan, the step, the running losses and what is kept beside them."""
        part = self.file.with_suffix(".part")
        plan: Any = self.plan
        state = {"ema": self.ema.state_dict(), "plan": asdict(plan), "step": self.step, "losses": self.losses}
        torch.save({**state, "beside": self.beside}, part)
        part.replace(self.file)
        self._saved = time.monotonic()
        return self.file


def fast_precision(device: str = "cpu") -> torch.autocast:
    """Networks run in bfloat16 within it where that is faster: on CUDA, or a processor with instructions for it."""
    fast = device == "cuda" or bool(getattr(torch.cpu, "_is_avx512_bf16_supported", lambda: False)())
    return torch.autocast(device, torch.bfloat16, enabled=fast)
