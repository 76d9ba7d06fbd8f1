/** Asks the page around an element to open a view. */
export const openView = (from: EventTarget, view: string): boolean =>
  from.dispatchEvent(new CustomEvent("open-view", { detail: view, bubbles: true, composed: true }));

/** Whether a press of a link opens what it leads to in a tab or a window of its own. */
export const opensElsewhere = ({ ctrlKey, metaKey, shiftKey }: MouseEvent): boolean => ctrlKey || metaKey || shiftKey;

/** What a press of a link to a view of this page does; `first` sets what the view is to show. */
export const opening =
  (view: string, first?: () => void) =>
  (event: MouseEvent): void => {
    if (opensElsewhere(event)) return;
    event.preventDefault();
    first?.();
    openView(event.currentTarget!, view);
  };
