import type { Texts } from "../state/texts.js";

/** The newest edition of exercises, used for new draws: a link states its own. */
export const newestEdition = ({ engine }: Pick<Texts, "engine">): number =>
  engine.describe()["draw_exercise"]!.inputs.find(({ name }) => name === "edition")!.greatest!;
