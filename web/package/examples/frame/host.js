import { mount } from "./node_modules/commcost/commcost-embed.js";

// embed.html is next to commcost-embed.js, so no address is needed.
const { frame } = mount("#here", { view: "exercise", inputs: { seed: 42, level: 2 }, title: "An exercise" });
frame.addEventListener("answer", ({ detail }) => {
  document.querySelector("#said").textContent = detail.correct
    ? "Solved."
    : `Likely missed: ${detail.mistake ?? "not known"}`;
});
