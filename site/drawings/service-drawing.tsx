import type { Service } from "#content/services";

export function ServiceDrawing({ of }: { of: Service["slug"] }) {
  return <svg viewBox="0 0 160 120" aria-hidden="true" data-of={of} />;
}
