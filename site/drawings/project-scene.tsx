import type { Project } from "#content/projects";

export function ProjectScene({ of, title }: { of: Project["slug"]; title: string }) {
  return <svg viewBox="0 0 640 440" role="img" aria-label={title} data-of={of} />;
}
