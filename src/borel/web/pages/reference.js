// The HTTP interface, read from its own description.
import { ask, h } from "./dom.js";
import { texts } from "./texts.js";

function shape(schema, all) {
  if (!schema) return "";
  if (schema.$ref) return shape(all[schema.$ref.split("/").pop()], all);
  if (schema.properties) return h("ul", {}, Object.entries(schema.properties).map(([name, each]) => h("li", {}, h("code", {}, name), each.default === undefined ? "" : ` = ${JSON.stringify(each.default)}`, each.description ? `: ${each.description}` : "")));
  return schema.type ?? "";
}

export async function show(main) {
  document.title = `Borel · ${texts.httpTitle}`;
  const description = await ask("/api/openapi.json");
  const schemas = description.components?.schemas ?? {};
  main.replaceChildren(h("div", { class: "page" }, h("h1", {}, texts.httpTitle), h("p", {}, description.info.summary, " ", h("a", { href: "/api/openapi.json" }, "openapi.json")),
    Object.entries(description.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, each]) => h("details", { class: "panel" }, h("summary", {}, h("code", {}, `${method.toUpperCase()} ${path}`), ` ${each.description?.split("\n")[0] ?? ""}`), shape(each.requestBody?.content?.["application/json"]?.schema, schemas))))));
}
