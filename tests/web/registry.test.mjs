import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { EMPTY_REGISTRY, readRegistry, routeOf, startersOf } from "../../paliadin/web/static/js/drawer/registry.js";

const EXAMPLE = JSON.parse(readFileSync(new URL("../../examples/host/static/registry.json", import.meta.url), "utf8"));
const ROUTES = [
  "dashboard",
  "projects",
  "projects.detail",
  "deadlines",
  "deadlines.detail",
  "agenda",
  "appointments.detail",
  "inbox",
  "inbox.detail",
  "courts",
  "courts.detail",
  "glossary",
  "glossary.detail",
  "audit",
  "_default",
];

test("a path becomes its route and its entity, an unknown path nothing", () => {
  const registry = readRegistry(EXAMPLE);
  assert.deepEqual(routeOf(registry, "/projects/harbour%20bridge/"), {
    route_name: "projects.detail",
    primary_entity_type: "project",
    primary_entity_id: "harbour bridge",
  });
  assert.deepEqual(routeOf(registry, "/"), { route_name: "dashboard" });
  assert.deepEqual(routeOf(registry, "/projects/1/secret"), {});
  assert.equal(routeOf(registry, "/projects/%zz").primary_entity_id, "%zz");
});

test("a registry that is none is empty", () => {
  for (const value of [null, 3, "x", { routes: [{}], starters: null }])
    assert.deepEqual(readRegistry(value), EMPTY_REGISTRY);
});

test("the example has three starters for each of its routes, in both languages", () => {
  assert.deepEqual(Object.keys(EXAMPLE.starters), ROUTES);
  for (const route of ROUTES) {
    for (const lang of ["de", "en"]) {
      const starters = startersOf(readRegistry(EXAMPLE), route, lang);
      assert.equal(starters.length, 3, `${route} ${lang}`);
      for (const { label, prompt } of EXAMPLE.starters[route])
        assert.ok(label[lang] && prompt[lang], `${route} ${lang}`);
    }
  }
});

test("a route without starters has the ones for every page", () => {
  const registry = readRegistry(EXAMPLE);
  assert.deepEqual(startersOf(registry, "elsewhere", "en"), startersOf(registry, "_default", "en"));
  assert.deepEqual(startersOf(registry, "toString", "en"), startersOf(registry, "_default", "en"));
  assert.deepEqual(startersOf(EMPTY_REGISTRY, "agenda", "en"), []);
});
