import type { Status } from "../elements/status.js";
import type { Session } from "../state/session.js";
import { Undo } from "../state/undo.js";
import type { Address } from "./address.js";

/** Changes of the scenario that can be undone and redone; each returns what it did. */
export class Past {
  private changes: Undo | undefined;

  constructor(
    private readonly address: Address,
    private readonly status: Status,
  ) {}

  /** From now on, changes of the scenario can be undone. */
  follow(scenario: Session): void {
    this.changes = new Undo(scenario);
  }

  get canUndo(): boolean {
    return this.changes?.canUndo ?? false;
  }

  get canRedo(): boolean {
    return this.changes?.canRedo ?? false;
  }

  undo(): void {
    this.address.quietly(() => this.status.say(this.changes!.undo() ? "Undone" : "Nothing to undo"));
  }

  redo(): void {
    this.address.quietly(() => this.status.say(this.changes!.redo() ? "Redone" : "Nothing to redo"));
  }
}
