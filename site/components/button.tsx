import type { ComponentProps } from "react";
import styles from "./button.module.css";

interface Look {
  /** `primary` once per view; `quiet` beside it; `sprout` only on an ink panel. */
  variant?: "primary" | "quiet" | "sprout";
}

type LinkProps = Look & { href: string } & Omit<ComponentProps<"a">, "className">;
type PressProps = Look & { href?: undefined } & Omit<ComponentProps<"button">, "className">;

/** A link when it has an `href`, else a button; the rest of the element's own props are forwarded. */
export function Button({ variant = "primary", ...props }: LinkProps | PressProps) {
  const className = `${styles.button} ${styles[variant]}`;
  if (props.href !== undefined) return <a {...props} className={className} />;
  return <button type="button" {...props} className={className} />;
}
