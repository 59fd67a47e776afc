import { Component } from "react";

interface ScrollAnchorProps {
  /** The contact that is open beside the list. */
  open: string | undefined;
}

interface Place {
  row: Element;
  top: number;
}

/**
 * Keeps the list where it is when a contact opens or closes beside it: the rows have other heights in the narrower list.
 * A class, because only a class is asked before React changes the page.
 */
export class ScrollAnchor extends Component<ScrollAnchorProps> {
  override getSnapshotBeforeUpdate({ open: before }: ScrollAnchorProps): Place | null {
    const { open } = this.props;
    if (Boolean(open) === Boolean(before)) return null;
    const own = document.querySelector(`[data-contact="${open ?? before}"]`);
    const row = own && isInWindow(own) ? own : [...document.querySelectorAll("[data-contact]")].find(isInWindow);
    return row ? { row, top: topOfName(row) } : null;
  }

  override componentDidUpdate({ open: before }: ScrollAnchorProps, _state: unknown, place: Place | null) {
    const list = document.querySelector<HTMLElement>("[data-contacts]");
    if (before && !this.props.open) list?.style.removeProperty("padding-block-start");
    if (!place?.row.checkVisibility()) return;
    scrollBy({ top: topOfName(place.row) - place.top, behavior: "instant" });
    // The page cannot scroll up past its beginning, so the list keeps the height of the column headings that went.
    const missing = place.top - topOfName(place.row);
    if (missing >= 1) list?.style.setProperty("padding-block-start", `${missing}px`);
  }

  override render() {
    return null;
  }
}

/** The name is what is read; the padding above it is not the same in the narrower list. */
function topOfName(row: Element): number {
  return (row.querySelector("a bdi") ?? row).getBoundingClientRect().top;
}

function isInWindow(row: Element): boolean {
  const { top, bottom, height } = row.getBoundingClientRect();
  return height > 0 && bottom > 0 && top < innerHeight;
}
