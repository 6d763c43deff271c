// The auction as a table, the bidding box, and what calls mean.
import { callName, callText, percent, rich, symbols } from "./cards.js";
import { h, signed } from "./dom.js";
import { texts } from "./texts.js";

const COLUMNS = ["W", "N", "E", "S"];
const STRAINS = ["C", "D", "H", "S", "NT"];

function meaning(entry) {
  const remarks = [entry.status, entry.convention?.replaceAll("_", " "), entry.alert].filter(Boolean);
  return `${entry.text || texts.noMeaning}${remarks.length ? ` (${[...new Set(remarks)].join(", ")})` : ""}`;
}

export function auctionTable(view, chosen, choose) {
  const rows = [], calls = view.auction;
  let row = Array(4).fill(null);
  let column = COLUMNS.indexOf(view.board.dealer);
  for (const [index, entry] of [...calls.entries(), [calls.length, null]]) {
    if (entry === null && view.phase !== "auction") break;
    row[column] = entry === null ? { waiting: true } : { ...entry, index };
    column += 1;
    if (column === 4) { rows.push(row); row = Array(4).fill(null); column = 0; }
  }
  if (row.some(Boolean)) rows.push(row);
  const cell = (entry) => {
    if (!entry) return h("td", {});
    if (entry.waiting) return h("td", { class: "waiting" }, "?");
    const button = h("button", {
      class: `told${entry.alert ? " alerted" : ""}`, "data-key": `call-${entry.index}`, title: meaning(entry),
      "aria-pressed": String(chosen === entry.index), "aria-label": `${texts.seats[entry.seat]}: ${callName(entry.call)}${entry.alert ? `, ${texts.alert}` : ""}`,
      onclick: () => choose(chosen === entry.index ? null : entry.index),
    }, callText(entry.call), entry.alert ? h("sup", { "aria-hidden": "true" }, "!") : null);
    return h("td", {}, button);
  };
  return h("table", { class: "auction" }, h("caption", { class: "unseen" }, texts.auction),
    h("thead", {}, h("tr", {}, COLUMNS.map((seat) => h("th", { scope: "col", class: view.seats[seat].vulnerable ? "vul" : null }, texts.seats[seat][0], h("span", { class: "unseen" }, texts.seats[seat].slice(1)))))),
    h("tbody", {}, rows.map((each) => h("tr", {}, each.map(cell)))));
}

// Which hands make a call, out of many dealt at random: by the rules, and by a network where there is one.
function sampledLines(sampled) {
  if (!sampled) return h("span", { class: "soft" }, texts.sampledWait);
  return Object.entries(sampled).map(([who, each]) => h("span", { class: "sampled" },
    h("strong", {}, Object.keys(sampled).length > 1 ? `${texts.sampledBy[who]}. ` : "", texts.sampledTitle(each.frequency < 1e-4 ? texts.few : `${(100 * each.frequency).toPrecision(2)}%`)), ": ", rich(each.words),
    each.examples.length ? [h("br", {}), `${texts.sampledFor} `, each.examples.map((hand) => h("span", { class: "example" }, rich(hand)))] : ""));
}

export function meaningBox(view, chosen, sampled) {
  const entry = chosen === null ? null : view.auction[chosen];
  if (!entry) return null;
  const text = meaning(entry);
  return h("div", { class: "meaning", role: "status" }, h("p", {}, h("strong", {}, texts.seats[entry.seat], " ", callText(entry.call)), " ", rich(text)), sampled === undefined ? null : h("p", { class: "from-hands" }, sampledLines(sampled)));
}

// What was considered: expected IMPs, how often nothing does better, and how it goes on.
export function candidateTable(candidates, chanceTitle) {
  const figures = candidates.some((each) => each.value !== null || each.chance !== null);
  const tail = (why) => symbols(why.split("; ").filter((part) => !/^[+−-]?\d.*(IMPs|on average|tricks|%)/.test(part)).join("; "));
  const head = h("tr", {}, h("td", {}), h("th", { scope: "col", class: "number" }, texts.expected), h("th", { scope: "col", class: "number" }, chanceTitle), h("td", {}));
  return h("table", { class: "candidates" }, h("caption", { class: "unseen" }, texts.candidates), figures ? h("thead", {}, head) : null,
    h("tbody", {}, candidates.map((each) => h("tr", {}, h("th", { scope: "row" }, rich(each.symbol)),
      figures ? [h("td", { class: `number ${each.value > 0.05 ? "good" : each.value < -0.05 ? "bad" : ""}` }, each.value === null ? "" : signed(Number(each.value.toFixed(1)))),
        h("td", { class: "number" }, each.chance === null ? "" : percent(each.chance))] : null,
      h("td", {}, rich(figures ? tail(each.why) : symbols(each.why)))))));
}

// All bids above the last one stay in their places, so that nothing moves while others call; only legal ones can be made.
export function biddingBox(legal, act, auction) {
  const rank = (bid) => 5 * Number(bid[0]) + STRAINS.indexOf(bid.slice(1));
  const last = Math.max(0, ...auction.filter((entry) => /^[1-7]/.test(entry.call)).map((entry) => rank(entry.call)));
  const button = (call, extra = "") => h("button", {
    class: `bid ${extra}`, "data-key": `bid-${call}`, disabled: !legal.includes(call), "aria-label": callName(call), onclick: () => act(call),
  }, callText(call));
  const levels = [1, 2, 3, 4, 5, 6, 7].filter((level) => rank(`${level}NT`) > last);
  return h("div", { class: "box", role: "group", "aria-label": texts.biddingBox },
    h("div", { class: "others" }, button("P", "green"), button("X", "red"), button("XX", "blue")),
    h("div", { class: "bids" }, levels.map((level) => STRAINS.map((strain) => button(`${level}${strain}`)))));
}
