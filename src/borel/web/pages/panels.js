// What a table says beside the felt when it is asked: hints, what was said, claims, links for friends.
import { candidateTable } from "./auction.js";
import { rich, symbols } from "./cards.js";
import { h } from "./dom.js";
import { texts } from "./texts.js";

export function panelBox(table) {
  const panel = table.panel;
  if (!panel) return null;
  const bodies = {
    text: () => h("p", { class: panel.wrong ? "wrong" : "", role: "status" }, panel.text), waiting: () => panel.element,
    hint: () => hintBox(table, panel.hint), said: () => saidBox(panel.said, panel.picture), claim: () => claimBox(table, panel.most), invite: () => inviteBox(table, panel.others), review: () => null,
  };
  const body = bodies[panel.kind]();
  return body ? h("div", { class: "panel told-panel" }, h("button", { class: "icon close", "aria-label": texts.close, "data-key": "close", onclick: () => table.put(null) }, "×"), body) : null;
}

function hintBox(table, hint) {
  const { contract, you } = table.view;
  const declaring = contract && (you === contract.declarer || you === contract.dummy);
  const chance = hint.kind === "call" ? texts.chanceCall : texts.chanceCard[declaring ? "make" : "beat"];
  const figures = hint.candidates.some((each) => each.value !== null);
  return [h("p", {}, h("strong", {}, rich(texts.hintTitle(hint.symbol))), hint.meaning ? [" · ", rich(hint.meaning)] : ""), h("p", {}, rich(symbols(hint.why))),
    hint.candidates.length > 1 || figures ? candidateTable(hint.candidates, chance) : null, hint.kind === "call" && figures ? h("p", { class: "note" }, texts.chanceNote) : null];
}

function saidBox(said, picture) {
  const imagined = picture?.length ? [h("h3", {}, texts.pictureTitle), h("ul", { class: "note" }, picture.map((line) => h("li", {}, rich(line))))] : null;
  return [h("dl", { class: "shown" }, Object.entries(said.seats).map(([seat, each]) => [h("dt", {}, texts.seats[seat]), h("dd", {}, rich(each.shown))])), imagined];
}

function claimBox(table, most) {
  return [h("p", { id: "claim-how" }, texts.claimHow(most)), h("div", { class: "numbers", role: "group", "aria-labelledby": "claim-how" },
    Array.from({ length: most + 1 }, (_, i) => most - i).map((tricks) => h("button", { "data-key": `claim-${tricks}`, onclick: () => table.claim(tricks) }, tricks === most ? `${texts.claimAll} ${tricks}` : String(tricks))))];
}

function inviteBox(table, others) {
  const link = (key) => `${location.origin}/table/${table.name}${key ? `#${key}` : ""}`;
  const row = (label, key) => h("li", {}, h("span", {}, label), h("input", { readonly: true, value: link(key), "aria-label": label, onfocus: (event) => event.target.select() }),
    h("button", { onclick: async (event) => { const target = event.target; await navigator.clipboard?.writeText(link(key)); target.textContent = texts.copied; } }, texts.copy));
  const here = ["127.0.0.1", "localhost", "[::1]"].includes(location.hostname);
  return [h("p", {}, texts.inviteLead), here ? h("p", { class: "note" }, texts.onlyHere) : null, h("ul", { class: "links" }, others.map(([seat, key]) => row(texts.seats[seat], key)), row(texts.watchLink, ""))];
}

export function claimPanel(table) {
  const { claim, seats } = table.view;
  const name = seats[claim.by].person ? seats[claim.by].name : texts.seats[claim.by];
  const answer = (key, yes, text, primary) => h("button", { class: primary ? "primary" : null, "data-key": key, onclick: () => table.send({ do: "agree", yes }) }, text);
  return h("div", { class: "panel claim", role: "alert" }, h("p", {}, texts.claimBy(name, claim.tricks, 13 - table.view.won.NS - table.view.won.EW)),
    claim.yours ? h("div", { class: "actions" }, answer("accept", true, texts.accept, true), answer("refuse", false, texts.playOn)) : h("p", { class: "note" }, texts.claimWait));
}
