// Changes are told by reference, and what says the same keeps its reference.

import assert from "node:assert/strict";
import test from "node:test";

import { changes, kept, cachedParts } from "../../ui/js/changes.js";

test("a change is told once, and the first call is one", () => {
  const changed = changes();
  const steps = [1];
  assert.equal(changed(steps, null), true);
  assert.equal(changed(steps, null), false);
  assert.equal(changed([1], null), true);
  assert.equal(changed(), true);
});

test("what says the same keeps its reference, in parts and as a whole", () => {
  const before = { id: "a", steps: [{ step: 1, pages: ["x"] }], plan: null, elapsed: 1 };
  assert.equal(kept(before, structuredClone(before)), before);
  const after = kept(before, { ...structuredClone(before), elapsed: 2 });
  assert.notEqual(after, before);
  assert.equal(after.steps, before.steps);
  assert.equal(after.elapsed, 2);
  const longer = kept(before.steps, [...structuredClone(before.steps), { step: 2, pages: [] }]);
  assert.equal(longer[0], before.steps[0]);
  assert.equal(longer.length, 2);
  assert.deepEqual(kept(before.steps, []), []);
  assert.deepEqual(kept(null, [1]), [1]);
  // What has moved in a list is still what it was.
  const rows = [{ id: "a" }, { id: "b", title: "old" }];
  const moved = kept(rows, [{ id: "c" }, { id: "a" }, { id: "b", title: "new" }]);
  assert.equal(moved[1], rows[0]);
  assert.notEqual(moved[2], rows[1]);
  assert.deepEqual(moved, [{ id: "c" }, { id: "a" }, { id: "b", title: "new" }]);
  // A field that is gone is a change.
  assert.deepEqual(kept({ a: 1, b: 2 }, { a: 1 }), { a: 1 });
});

test("a part is made anew when its facts are others, and forgotten when it is not asked for", () => {
  const parts = cachedParts();
  let made = 0;
  const draw = (name, ...facts) => parts.round(() => parts.keep(name, facts, () => ({ made: ++made })));
  const first = draw("row", 1);
  assert.equal(draw("row", 1), first);
  assert.notEqual(draw("row", 2), first);
  draw("other");
  assert.equal(draw("row", 2).made, 4);
});
