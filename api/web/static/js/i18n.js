/** Texts in the player's language; English where a text is missing. */

export const LANGUAGES = /** @type {const} */ ({ en: "English", de: "Deutsch" });
const KEPT = "boardsnap.language";

/** @type {Record<string, string>} */
let texts = {};
/** @type {Record<string, string>} */
let english = {};
let language = "en";
let plural = new Intl.PluralRules("en");

/** Loads the texts of the language kept on this device, else of the browser. */
export async function loadLanguage() {
  const wished = localStorage.getItem(KEPT) ?? navigator.languages.map((name) => name.slice(0, 2)).find((name) => name in LANGUAGES);
  english = await load("en");
  await useLanguage(wished && wished in LANGUAGES ? wished : "en");
}

/** @param {string} name */
async function useLanguage(name) {
  texts = name === "en" ? english : await load(name);
  language = name;
  plural = new Intl.PluralRules(name);
  document.documentElement.lang = name;
}

/** Changes the language and keeps it on this device. @param {string} name */
export async function changeLanguage(name) {
  localStorage.setItem(KEPT, name);
  await useLanguage(name);
}

/** @param {string} name @returns {Promise<Record<string, string>>} */
async function load(name) {
  const answer = await fetch(`/static/i18n/${name}.json`);
  return answer.ok ? answer.json() : {};
}

export const currentLanguage = () => language;

/** Whether there is a text of this key. @param {string} key */
export const has = (key) => key in texts || key in english;

/**
 * Returns a text; `{name}` is replaced by values.name, and values.n picks between KEY.one and KEY.other.
 * @param {string} key @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  const form = "n" in values && has(`${key}.other`) ? `${key}.${pluralForm(key, Number(values.n))}` : key;
  const text = texts[form] ?? english[form] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** @param {string} key @param {number} n */
function pluralForm(key, n) {
  const form = plural.select(n);
  return has(`${key}.${form}`) ? form : "other";
}

/** Returns "a, b and c". @param {string[]} parts */
export const listed = (parts) => new Intl.ListFormat(language, { type: "conjunction" }).format(parts);

/** @param {string | number | Date} when */
export const dated = (when) => new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(new Date(when));

/** @param {number} share */
export const percent = (share) => new Intl.NumberFormat(language, { style: "percent" }).format(share);
