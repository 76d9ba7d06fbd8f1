import { LitElement } from "lit";
import { awaited } from "../state/parts.js";

/** An element that uses the engine while it draws; if a calculation is not there yet, it is redrawn once it is. */
export abstract class EngineElement extends LitElement {
  protected override performUpdate(): void {
    try {
      super.performUpdate();
    } catch (error) {
      const rest = awaited(error);
      if (!rest) throw error;
      void rest.here.then(() => this.requestUpdate());
    }
  }
}
