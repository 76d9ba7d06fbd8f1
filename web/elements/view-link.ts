/** Asks the page around an element to open a view. */
export const openView = (from: EventTarget, view: string): boolean =>
  from.dispatchEvent(new CustomEvent("open-view", { detail: view, bubbles: true, composed: true }));

/** Whether a click on a link opens its target in a new tab or window. */
export const opensElsewhere = ({ ctrlKey, metaKey, shiftKey }: MouseEvent): boolean => ctrlKey || metaKey || shiftKey;

/** Handles a click on a link to a view of this page; `first` sets what the view shows. */
export const opening =
  (view: string, first?: () => void) =>
  (event: MouseEvent): void => {
    if (opensElsewhere(event)) return;
    event.preventDefault();
    first?.();
    openView(event.currentTarget!, view);
  };
