import type { ComponentProps } from "react";
import styles from "./button.module.css";

interface ButtonProps {
  /**
   * The main button of a view is `primary`, the buttons beside it are `quiet`. `sprout` is only for the dark panel, and
   * `danger` only for what cannot be undone.
   */
  variant?: "primary" | "quiet" | "sprout" | "danger";
}

type LinkProps = ButtonProps & { href: string } & Omit<ComponentProps<"a">, "className">;
type ActionProps = ButtonProps & { href?: undefined } & Omit<ComponentProps<"button">, "className">;

/** Renders a link if there is an `href`, else a button. */
export function Button({ variant = "primary", ...props }: LinkProps | ActionProps) {
  const className = `${styles.button} ${styles[variant]}`;
  if (props.href !== undefined) return <a {...props} className={className} />;
  return <button type="button" {...props} className={className} />;
}
