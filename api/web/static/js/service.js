/** Talks to the service: one function an endpoint, and one error class with the problem it told. */

/** @typedef {import("./types.js").Reading} Reading @typedef {import("./types.js").Problem} Problem */

/** What the service refused, or that it could not be reached (`offline`). */
export class ServiceProblem extends Error {
  /** @param {Problem} problem @param {{offline?: boolean, retryAfter?: number}} [more] */
  constructor(problem, { offline = false, retryAfter = 0 } = {}) {
    super(problem.detail || problem.title);
    this.problem = problem;
    this.status = problem.status ?? 0;
    this.offline = offline;
    this.retryAfter = retryAfter;
  }
}

/**
 * Sends a request and returns the answer; raises ServiceProblem.
 * @param {string} path @param {{method?: string, token?: string | null, body?: any, form?: FormData}} [how] @returns {Promise<Response>}
 */
async function send(path, { method = "GET", token = null, body, form } = {}) {
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json, */*" };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(path, { method, headers, body: form ?? (body === undefined ? undefined : JSON.stringify(body)) });
  } catch {
    throw new ServiceProblem({ title: "offline" }, { offline: true });
  }
  if (!answer.ok) throw await problemOf(answer);
  return answer;
}

/** @param {Response} answer */
async function problemOf(answer) {
  const problem = await answer.json().catch(() => ({ title: answer.statusText }));
  return new ServiceProblem({ title: answer.statusText, ...problem, status: answer.status }, { retryAfter: Number(answer.headers.get("Retry-After")) || 0 });
}

/** @param {string} path @param {Parameters<typeof send>[1]} [how] @returns {Promise<any>} */
async function json(path, how) {
  const answer = await send(path, how);
  return answer.status === 204 ? null : answer.json();
}

/** @param {string} path @param {string | null} [token] @returns {Promise<Blob>} */
export const fetchFile = async (path, token = null) => (await send(path, { token })).blob();

export const getKinds = () => json("/v1/kinds");
export const getCards = () => json("/v1/cards");
export const getArts = () => json("/v1/arts");

/** @param {string} id @param {string} token @returns {Promise<Reading>} */
export const getReading = (id, token) => json(`/v1/readings/${id}`, { token });
/** @param {string} id @param {string} token @param {any} corrections @returns {Promise<Reading>} */
export const postCorrections = (id, token, corrections) => json(`/v1/readings/${id}/corrections`, { method: "POST", token, body: corrections });
/** @param {string} id @param {string} token @param {"undo" | "redo"} step @returns {Promise<Reading>} */
export const postStep = (id, token, step) => json(`/v1/readings/${id}/${step}`, { method: "POST", token });
/** @param {string} id @param {string} token @param {any} options @returns {Promise<Reading>} */
export const putOptions = (id, token, options) => json(`/v1/readings/${id}/options`, { method: "PUT", token, body: options });
/** @param {string} id @param {string} token */
export const deleteReading = (id, token) => json(`/v1/readings/${id}`, { method: "DELETE", token });

/** @param {any} table */
export const postTable = (table) => json("/v1/tables", { method: "POST", body: table });
/** @param {string} id @param {string} token */
export const getTable = (id, token) => json(`/v1/tables/${id}`, { token });
/** @param {string} id @param {string} token @param {any} changes */
export const patchTable = (id, token, changes) => json(`/v1/tables/${id}`, { method: "PATCH", token, body: changes });
/** @param {string} id @param {number} seat @param {string} token @param {"reading" | "board" | "recipe"} what @param {any} body */
export const putSeat = (id, seat, token, what, body) => json(`/v1/tables/${id}/seats/${seat}/${what}`, { method: "PUT", token, body });
/** @param {string} id @param {string} token */
export const revealRecipes = (id, token) => json(`/v1/tables/${id}/reveal`, { method: "POST", token });
/** @param {Record<string, string>} query */
export const getSetup = (query) => json(`/v1/setup?${new URLSearchParams(query)}`);

/** @param {File[]} photos */
export function postEnrolment(photos) {
  const form = new FormData();
  for (const photo of photos) form.append("photos", photo);
  return json("/v1/enrolments", { method: "POST", form });
}
/** @param {string} id @param {string} token @param {string} name @param {(string | null)[]} kinds */
export const nameCrops = (id, token, name, kinds) => json(`/v1/enrolments/${id}/names`, { method: "POST", token, body: { name, kinds } });

/** Whether the service offers a path at all. @param {string} path */
export async function offers(path) {
  try {
    const answer = await fetch(path, { method: "OPTIONS" });
    return answer.status !== 404;
  } catch {
    return false;
  }
}

/**
 * Uploads a photo; `progress` hears the share sent (0 to 1). A full queue is waited for as long as the service says.
 * @param {File} photo @param {Record<string, any>} options @param {string} key @param {(share: number) => void} progress @param {(seconds: number) => void} queued
 * @returns {Promise<Reading>}
 */
export async function postReading(photo, options, key, progress, queued) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await upload(photo, options, key, progress);
    } catch (error) {
      if (!(error instanceof ServiceProblem) || error.status !== 503 || attempt >= 8) throw error;
      const seconds = Math.min(error.retryAfter || 3, 30);
      queued(seconds);
      await new Promise((done) => setTimeout(done, 1000 * seconds));
    }
  }
}

/** @param {File} photo @param {Record<string, any>} options @param {string} key @param {(share: number) => void} progress @returns {Promise<Reading>} */
function upload(photo, options, key, progress) {
  const form = new FormData();
  form.append("photo", photo, photo.name || "photo.jpg");
  for (const [name, value] of Object.entries(options)) if (value !== null && value !== undefined && value !== "") form.append(name, String(value));
  return new Promise((done, fail) => {
    const request = new XMLHttpRequest(); // fetch does not tell how much of the body is sent
    request.open("POST", "/v1/readings");
    request.setRequestHeader("Idempotency-Key", key);
    request.upload.addEventListener("progress", (event) => event.lengthComputable && progress(event.loaded / event.total));
    request.addEventListener("error", () => fail(new ServiceProblem({ title: "offline" }, { offline: true })));
    request.addEventListener("load", () => {
      const answer = parsed(request.responseText);
      if (request.status < 300 && answer) done(answer);
      else fail(new ServiceProblem({ title: request.statusText, ...answer, status: request.status }, { retryAfter: Number(request.getResponseHeader("Retry-After")) || 0 }));
    });
    request.send(form);
  });
}

/** @param {string} text @returns {any} */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
