import { Component } from "react";

interface KeptPlaceProps {
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
export class KeptPlace extends Component<KeptPlaceProps> {
  override getSnapshotBeforeUpdate({ open: before }: KeptPlaceProps): Place | null {
    const { open } = this.props;
    if (Boolean(open) === Boolean(before)) return null;
    const own = document.querySelector(`[data-contact="${open ?? before}"]`);
    const row = own && isInWindow(own) ? own : [...document.querySelectorAll("[data-contact]")].find(isInWindow);
    return row ? { row, top: row.getBoundingClientRect().top } : null;
  }

  override componentDidUpdate(_props: KeptPlaceProps, _state: unknown, place: Place | null) {
    if (!place?.row.checkVisibility()) return;
    scrollBy({ top: place.row.getBoundingClientRect().top - place.top, behavior: "instant" });
  }

  override render() {
    return null;
  }
}

function isInWindow(row: Element): boolean {
  const { top, bottom, height } = row.getBoundingClientRect();
  return height > 0 && bottom > 0 && top < innerHeight;
}
