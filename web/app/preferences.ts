import type { ReactiveController, ReactiveControllerHost } from "lit";
import { colorChoices, type Colors } from "../state/link.js";
import { Sizes, type SizeUnits, sizeUnits } from "../state/sizes.js";
import { recall, remember } from "../state/storage.js";

/** The colours in the order of their button; none are the system's. */
const colorCycle = ["", ...colorChoices] as const;

/** The remembered one of `choices`, otherwise the first. */
const recalled = <Choice extends string>(name: string, choices: readonly Choice[]): Choice =>
  choices.find((choice) => choice === recall(name)) ?? choices[0]!;

/**
 * How this reader wants the page: its colours, the units of sizes, whether single characters are shortcuts. Choices are
 * remembered.
 */
export class Preferences implements ReactiveController {
  colors: Colors | "" = recalled("colors", colorCycle);
  sizes = new Sizes(recalled("units", sizeUnits));
  singles = recall("keys") !== "off";

  /** `changed` is called once sizes are written in other units. */
  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly changed: (sizes: Sizes) => void,
  ) {
    host.addController(this);
  }

  hostUpdated(): void {
    document.documentElement.style.setProperty("color-scheme", this.colors || "light dark");
  }

  /** Choices from a link or a host apply to this visit. */
  take({ colors, units }: { colors?: string | undefined; units?: string | undefined }): void {
    if (colors) this.colors = colors as Colors;
    if (units) this.write(units as SizeUnits);
    this.host.requestUpdate();
  }

  get units(): SizeUnits {
    return this.sizes.units;
  }

  private write(units: SizeUnits): void {
    this.sizes = new Sizes(units);
    this.changed(this.sizes);
  }

  chooseUnits(units: SizeUnits): void {
    this.write(units);
    remember("units", units);
    this.host.requestUpdate();
  }

  cycleColors(): void {
    this.colors = colorCycle[(colorCycle.indexOf(this.colors) + 1) % colorCycle.length]!;
    remember("colors", this.colors);
    this.host.requestUpdate();
  }

  chooseSingles(singles: boolean): void {
    this.singles = singles;
    remember("keys", singles ? "on" : "off");
    this.host.requestUpdate();
  }
}
