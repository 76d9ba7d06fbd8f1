import assert from "node:assert/strict";
import { test } from "@playwright/test";
import { contrast, distance, linear, oklab, seen, sights } from "./support/colors.mjs";
import { load } from "./support/source.mjs";

let subjects, together, inks, originColor, shadeOf, textOn;
test.beforeAll(async () => {
  ({ shadeOf, textOn } = await load("elements/colors.ts"));
  ({ subjects, together, inks, originColor } = await load("elements/tokens.ts"));
});

test("sight: red and green of one brightness are told apart, but not without red or green cones", () => {
  const [red, green] = ["#c04040", "#5f7a1e"].map(linear);
  assert.ok(distance(red, green) > 0.15);
  assert.ok(distance(seen("deuteranopia", red), seen("deuteranopia", green)) < 0.09);
  assert.ok(Math.abs(contrast(linear("#000000"), linear("#ffffff")) - 21) < 1e-9);
});

for (const scheme of ["light", "dark"]) {
  test(`marks stand out from ${scheme} paper, and text upon them is read`, () => {
    for (const name of Object.keys(subjects)) {
      const color = shadeOf(name)[scheme];
      // WCAG 2.2, 1.4.11 and 1.4.3.
      assert.ok(contrast(linear(color), linear(inks.paper[scheme])) >= 3, `${name} ${color}`);
      assert.ok(contrast(linear(color), linear(textOn(color))) >= 4.5, `text on ${name} ${color}`);
    }
  });

  test(`one colour, one meaning; those that share a chart differ for every eye, ${scheme}`, () => {
    const own = Object.keys(subjects).filter((name) => subjects[name].light);
    for (const one of own) {
      for (const other of own) {
        if (one >= other) continue;
        const pair = [one, other].map((name) => linear(shadeOf(name)[scheme]));
        assert.ok(distance(...pair) > 0.02, `${one} and ${other} look alike`);
        if (!together.some((chart) => chart.includes(one) && chart.includes(other))) continue;
        for (const sight of Object.keys(sights)) {
          const apart = distance(...pair.map((color) => seen(sight, color)));
          assert.ok(apart > 0.09, `${one} and ${other}, ${sight}: ${apart.toFixed(3)}`);
        }
      }
    }
  });
}

test("a kind of the same has its colour and a texture of its own", () => {
  const seen = new Set();
  for (const name of Object.keys(subjects)) {
    const { light, texture } = shadeOf(name);
    assert.ok(!seen.has(`${light} ${texture}`), name);
    seen.add(`${light} ${texture}`);
  }
});

/** Whether a colour reads as blue: its hue in Oklab, where there is enough of it. */
function isBlue(hex) {
  const [, a, b] = oklab(linear(hex));
  const hue = ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360;
  return Math.hypot(a, b) > 0.04 && hue > 222 && hue < 288;
}

test("blue is what can be acted on, and no other ink and no data is blue", () => {
  for (const scheme of ["light", "dark"]) {
    for (const [name, ink] of Object.entries(inks)) assert.equal(isBlue(ink[scheme]), name === "accent", name);
    for (const name of Object.keys(subjects)) assert.ok(!isBlue(shadeOf(name)[scheme]), `${name}, ${scheme}`);
  }
  for (let origins = 1; origins <= 64; origins += 1)
    for (let origin = 0; origin < origins; origin += 1)
      for (const [, hue] of originColor(origin, origins).matchAll(/ (\d+)\)/g))
        assert.ok(hue <= 222 || hue >= 288, `${origin} of ${origins}`);
});
