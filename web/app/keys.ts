import type { ReactiveController, ReactiveControllerHost } from "lit";

/** What the keyboard does on the page: the handler and the help read this one table's shape. */
export interface Command {
  /** Each does it: "p", "?", "Ctrl+Z". Ctrl stands for the command key as well. */
  keys: readonly string[];
  label: string;
  run: () => void;
}

const typed = "input, select, textarea, [contenteditable]";
const untyped = 'input:is([type="checkbox"], [type="radio"], [type="range"], [type="file"], [type="button"])';

/** The element that has the focus, in whichever shadow root it is. */
function focused(): Element | null {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at;
}

/** A key as the table names it. */
function nameOf(event: KeyboardEvent): string {
  const held = event.ctrlKey || event.metaKey;
  return held ? `Ctrl+${event.shiftKey ? "Shift+" : ""}${event.key.toUpperCase()}` : event.key;
}

/**
 * The command that a key triggers. A single character triggers none while a field has the focus, or if `singles` is
 * off; Ctrl+Z in text belongs to the text.
 */
function commandOf(event: KeyboardEvent, commands: readonly Command[], singles: boolean): Command | undefined {
  if (event.defaultPrevented || event.isComposing || event.altKey) return undefined;
  const name = nameOf(event);
  const at = focused();
  const single = name.length === 1;
  if (single ? !singles || at?.matches(typed) : at?.matches(typed) && !at.matches(untyped)) return undefined;
  return commands.find(({ keys }) => keys.includes(name));
}

/** Runs the commands that keys trigger while the page is in the document. */
export class Keyboard implements ReactiveController {
  /** `commands` and `singles` as they are when a key is pressed; no commands while keys have another meaning. */
  constructor(
    host: ReactiveControllerHost,
    private readonly commands: () => readonly Command[],
    private readonly singles: () => boolean,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    addEventListener("keydown", this.onKey);
  }

  hostDisconnected(): void {
    removeEventListener("keydown", this.onKey);
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    const command = commandOf(event, this.commands(), this.singles());
    if (!command) return;
    event.preventDefault();
    command.run();
  };
}
