import type { ReactiveController, ReactiveControllerHost } from "lit";
import { readLink, saysNothing, settingNames, writeLink } from "../state/link.js";
import { modernized } from "../state/old-links.js";
import { once } from "../state/once.js";
import { pageScenario, protagonist } from "../state/page-scenario.js";
import type { ScenarioEvent } from "../state/scenario.js";
import { servedName } from "../state/serving.js";
import type { Session } from "../state/session.js";
import { trained } from "../state/trained.js";
import { frameOptions } from "./frame-options.js";
import type { HostWishes } from "./host-wishes.js";
import { meaningOf } from "./link-meaning.js";
import type { Opened } from "./opened.js";
import type { Preferences } from "./preferences.js";
import { firstView, usualView, viewNamed, type View } from "./views.js";

/** How long a series of edits may go on, ms, before the address takes them. */
const pause = 250;

/** The page's address: it holds the scenario, the view and how sizes are written, and each follows the other. */
export class Address implements ReactiveController {
  /** The parts of the link that are not understood, and its impossible values. */
  unknown: string[] = [];
  wrong: string[] = [];
  private scenario: Session | undefined;
  private writing: ReturnType<typeof setTimeout> | undefined;
  /** The hash that was last read or written. */
  private at = "";
  /** Whether the next write deserves its own entry in the browser's history. */
  private entry = false;
  /** Whether a change comes from the address, or from undoing: it makes no entry. */
  private following = false;

  constructor(
    private readonly host: ReactiveControllerHost & { readonly embed: boolean },
    private readonly opened: Opened,
    private readonly preferences: Preferences,
    private readonly wishes: HostWishes,
  ) {
    host.addController(this);
  }

  hostDisconnected(): void {
    removeEventListener("hashchange", this.onHash);
  }

  /** Reads the address into a scenario, and keeps both the same from then on. */
  async follow(scenario: Session): Promise<void> {
    this.scenario = scenario;
    await this.read();
    scenario.addEventListener("change", (event) => {
      this.host.requestUpdate();
      this.write((event as ScenarioEvent).whole && !this.following);
    });
    addEventListener("hashchange", this.onHash);
  }

  private readonly onHash = (): void => void this.read();

  /** Makes a change that gets no entry in the browser's history. */
  quietly(change: () => void): void {
    this.following = true;
    change();
    this.following = false;
  }

  private async read(): Promise<void> {
    const scenario = this.scenario!;
    this.at = location.hash;
    const { texts, pinned, view, units, colors, unknown, wrong } = meaningOf(scenario, location);
    this.unknown = unknown;
    this.wrong = wrong;
    this.wishes.read(location);
    this.quietly(() => {
      this.preferences.take({ units, colors });
      scenario.load(this.isFirst() ? protagonist : texts, pinned);
    });
    await this.open(this.opened.asked(view), false);
  }

  /** Whether the address has nothing added to it: then it opens the first view with its own example. */
  private isFirst(): boolean {
    return !this.host.embed && saysNothing(location);
  }

  /** Changes what a query names, read as a link is; the rest stays. */
  take(query: string): void {
    const scenario = this.scenario!;
    const { texts, settings } = readLink({ search: query, hash: "" }, scenario.fields);
    const { view, units, colors, ...rest } = settings;
    this.wishes.take(frameOptions(query));
    this.preferences.take({ units, colors });
    const wanted = viewNamed(view) ?? this.opened.wanted;
    const changed = wanted.laidOut && !scenario.alone ? trained(scenario) : scenario;
    const own = (name: string) => (wanted.tab === "serve" ? servedName(name) : name);
    const named = Object.fromEntries(Object.entries({ ...rest, ...texts }).map(([name, text]) => [own(name), text]));
    changed.set(modernized(scenario, named, wanted.id).texts);
    // A figure may have taken the view's place.
    void this.open(view === undefined ? this.opened.wanted : (viewNamed(view) ?? usualView));
  }

  /** Goes to a view. */
  async open(view: View, entry = true): Promise<void> {
    const another = await this.opened.open(view, this.scenario!.engine);
    this.write(entry && another);
  }

  /** An edit changes the present entry of the browser's history; another view, or another scenario, makes a new one. */
  private write(entry: boolean): void {
    // A frame's address is its host's business.
    if (this.host.embed) return;
    this.entry ||= entry;
    clearTimeout(this.writing);
    this.writing = setTimeout(() => {
      // Another address was asked for in the meantime: read it instead of overwriting it.
      if (location.hash !== this.at) return;
      const address = this.text();
      if (this.entry && address !== location.pathname + location.hash) history.pushState(null, "", address);
      else history.replaceState(null, "", address);
      this.entry = false;
      this.at = location.hash;
    }, pause);
  }

  /** The hash that holds all of this. */
  hash(view = this.opened.wanted): string {
    const settings = Object.fromEntries(settingNames.map((name) => [name, this.scenario!.text(name)]));
    settings["units"] = this.preferences.units === "usual" ? "" : this.preferences.units;
    const bare = writeLink(this.scenario!, { ...settings, view: "" });
    if (view === firstView && !this.host.embed && bare === this.first(this.scenario!)) return "";
    // The view is left out if an address without it opens the same one.
    const named = view !== usualView || (bare === "" && !this.host.embed);
    return named ? writeLink(this.scenario!, { ...settings, view: view.id }) : bare;
  }

  /** The link of the first view's own example. */
  private readonly first = once((of) => {
    const scenario = pageScenario(of.engine);
    scenario.reset(protagonist);
    return writeLink(scenario, {});
  });

  private text(view = this.opened.wanted): string {
    return location.pathname + this.hash(view);
  }

  /** The present scenario in that view, as another tab or another reader opens it. */
  link(view = this.opened.wanted): string {
    return new URL(this.text(view), location.href).href;
  }
}
