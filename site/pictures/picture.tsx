/** A picture in the sizes and formats that the build made of it. An SVG has its one file only. */
export interface BuiltPicture {
  alt: string;
  avif?: string;
  webp?: string;
  src: string;
  width: number;
  height: number;
}

/** The browser loads the picture when a visitor comes near it. Its place is free from the start. */
export function Picture({ alt, avif, webp, src, width, height, sizes }: BuiltPicture & { sizes: string }) {
  return (
    <picture>
      {avif && <source type="image/avif" srcSet={avif} sizes={sizes} />}
      <img
        src={src}
        srcSet={webp}
        sizes={webp && sizes}
        alt={alt}
        width={width}
        height={height}
        loading="lazy"
        decoding="async"
      />
    </picture>
  );
}
