import { Session } from "./session.js";

/**
 * The page's scenario as it was when an answer was searched for. Everything drawn of the answer reads it, so that none
 * of it belongs to another scenario; what the reader changes there is changed in the page's.
 */
export class Asked extends Session {
  constructor(readonly page: Session) {
    super(page.engine, page.fields, page.defaults);
    this.alone = page.alone;
    this.follow();
  }

  /** Updates it from the page: the question is the same, and other choices still apply. */
  follow(): void {
    this.sizes = this.page.sizes;
    this.fill(this.page.everything());
  }

  override get pinned() {
    return this.page.pinned;
  }

  override get readonly(): boolean {
    return this.page.readonly;
  }

  override set readonly(locked: boolean) {
    this.page.readonly = locked;
  }

  override change(given: Record<string, string>, forgotten: readonly string[]): void {
    this.page.change(given, forgotten);
  }

  override unset(name: string): void {
    this.page.unset(name);
  }
}
