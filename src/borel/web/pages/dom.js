// Small help with the document: elements, the server, what is remembered, what is said aloud.
const SVG = "http://www.w3.org/2000/svg";

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const h = (tag, properties, ...children) => fill(document.createElement(tag), properties, children);
export const s = (tag, properties, ...children) => fill(document.createElementNS(SVG, tag), properties, children);
export const byId = (id) => document.getElementById(id);

export async function ask(path, body) {
  const options = body === undefined ? {} : {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  };
  const response = await fetch(path, options);
  const answer = await response.json().catch(() => ({ error: response.statusText }));
  if (!response.ok) throw new Error(answer.error ?? response.statusText);
  return answer;
}

export const kept = {
  get(name, otherwise) {
    try { return JSON.parse(localStorage.getItem(`borel.${name}`)) ?? otherwise; } catch { return otherwise; }
  },
  set(name, value) {
    try { localStorage.setItem(`borel.${name}`, JSON.stringify(value)); } catch { /* private windows keep nothing */ }
  },
};

export function say(text) {
  if (text) byId("said").textContent = text;
}

// Draw a part of the page anew and leave the keyboard where it was.
export function redraw(element, ...children) {
  const focused = element.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
  element.replaceChildren(...children.flat(Infinity).filter(Boolean));
  if (focused) element.querySelector(`[data-key="${CSS.escape(focused)}"]:not(:disabled)`)?.focus({ preventScroll: true });
}

export function select(label, name, choices, value, onchange) {
  const options = Object.entries(choices).map(([key, text]) => h("option", { value: key, selected: key === value }, text));
  return h("label", { class: "field" }, h("span", {}, label), h("select", { name, onchange }, options));
}

export function busy(button, work) {
  return async (event) => {
    event?.preventDefault?.();
    const target = button ?? event?.currentTarget;
    target?.setAttribute("aria-busy", "true");
    if (target && "disabled" in target) target.disabled = true;
    try { await work(event); } finally {
      target?.removeAttribute("aria-busy");
      if (target && "disabled" in target) target.disabled = false;
    }
  };
}

export const signed = (number) => (number > 0 ? `+${number}` : number < 0 ? `−${-number}` : "0");
