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
 * It is a class, because only `getSnapshotBeforeUpdate` can measure the page before React changes it.
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
    // The column headings are hidden beside an open contact. At the top of the page, a padding keeps their height,
    // because there is nothing left to scroll.
    const missing = place.top - topOfName(place.row);
    if (missing >= 1) list?.style.setProperty("padding-block-start", `${missing}px`);
  }

  override render() {
    return null;
  }
}

/** The name stays where it is, and not the top of the row, whose padding is smaller in the narrower list. */
function topOfName(row: Element): number {
  return (row.querySelector("a bdi") ?? row).getBoundingClientRect().top;
}

function isInWindow(row: Element): boolean {
  const { top, bottom, height } = row.getBoundingClientRect();
  return height > 0 && bottom > 0 && top < innerHeight;
}
