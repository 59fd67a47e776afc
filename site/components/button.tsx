import type { ComponentProps } from "react";
import styles from "./button.module.css";

interface ButtonProps {
  /**
   * The main button of a view is `primary`, the buttons beside it are `quiet`. `highlight` is only for the dark panel, and
   * `danger` only for what cannot be undone. In the work tool, `tool` is a button among many, and `plain` looks like a
   * link.
   */
  variant?: "primary" | "quiet" | "highlight" | "danger" | "tool" | "plain";
  /** Smaller, with the height of a touch target. `tool` and `plain` are always small. */
  small?: boolean;
}

type LinkProps = ButtonProps & { href: string } & Omit<ComponentProps<"a">, "className">;
type ActionProps = ButtonProps & { href?: undefined } & Omit<ComponentProps<"button">, "className">;

/** Renders a link if there is an `href`, else a button. */
export function Button({ variant = "primary", small, ...props }: LinkProps | ActionProps) {
  const isSmall = small ?? (variant === "tool" || variant === "plain");
  const className = `${styles.button} ${isSmall ? `${styles.small} ` : ""}${styles[variant]}`;
  if (props.href !== undefined) return <a {...props} data-button className={className} />;
  return <button type="button" {...props} data-button className={className} />;
}
