import type { Texts } from "../state/texts.js";

/** The newest edition of exercises, which new draws are of: a link says its own. */
export const newestEdition = ({ engine }: Pick<Texts, "engine">): number =>
  engine.describe()["draw_exercise"]!.inputs.find(({ name }) => name === "edition")!.greatest!;
