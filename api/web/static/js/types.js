/**
 * The objects the service answers with, as the modules name them. Nothing here runs.
 *
 * @typedef {[number, number]} Point
 * @typedef {{id: string, kind: string, footprint?: Point[] | null, polygon_px?: Point[] | null, visible?: number | null, confidence?: number | null}} Tile
 * @typedef {{tiles: Tile[], over: [string, string][], contacts?: [string, string][], players: number | null, variant: string | null,
 *   board?: {outline?: Point[] | null, inner_ring?: Point[] | null} | null}} Board
 * @typedef {{tiles: string[], points: number}} ScoreSet
 * @typedef {{house_rule: string, value: boolean | number, points: number}} OtherReading
 * @typedef {{id: string, points: number | null, sets: ScoreSet[], readings: OtherReading[], note?: string}} ScoreLine
 * @typedef {{id: string, tiles: string[], value: number, limit: number, status: "violation" | "check_by_hand", note?: string, kind?: string}} Check
 * @typedef {{do: string, [field: string]: any}} Correction
 * @typedef {{about: string, tiles: string[], why: string, alternatives: Correction[][], points_at_stake: number}} Question
 * @typedef {{board: Board, total: number, total_without_illegal: number, total_range: [number, number], markers: string[], objectives: ScoreLine[],
 *   recipe: ScoreLine | null, checks: Check[], unchecked: {id: string, tiles: string[], why: string}[], questions: Question[], notes: string[],
 *   house_rules: Record<string, boolean | number>, player?: string}} Report
 * @typedef {{players?: number | null, art?: string | null, objectives?: string[] | "all" | null, recipe?: string | number | null, house_rules?: Record<string, boolean | number>}} Options
 * @typedef {{id: string, token?: string, status: "ready" | "waiting" | "failed", created: string, expires: string,
 *   photo: {url: string, width: number, height: number, scale?: number} | null, options: Options, board: Board | null, report: Report | null,
 *   history: {undo: number, redo: number}, weighed?: boolean, problem?: Problem}} Reading
 * @typedef {{type?: string, title: string, status?: number, detail?: string, code?: string}} Problem
 * @typedef {{id: string, name: string, category: string, shape: string, copies: number}} Kind
 * @typedef {{id: string, name: string, text: string, type: "objective" | "recipe", neighbor: boolean, base: boolean, category?: string}} Card
 * @typedef {{id: string, name: string, values?: any[] | null, default: boolean | number}} HouseRule
 * @typedef {{seat: number, player: string, board: boolean, reading_id?: string | null, recipe: "hidden" | "none" | {id: string, points: number | null}, total: number | null}} Seat
 * @typedef {{id: string, players: string[], variant: string | null, objectives: string[] | "all" | null, house_rules: Record<string, boolean | number>, art: string | null,
 *   seats: Seat[], report: {boards: Report[], ranking: [string, number][], places?: number[], winners?: string[], checks: Check[], notes: string[]} | null, complete: boolean,
 *   revealed: boolean, you: {host: boolean, seat: number | null}}} Table
 */
export {};
