import classes from './car-picture.module.css'

interface Props {
  src: string | null | undefined
  width: number
  height: number
  /** Empty if the name is next to the picture. */
  alt?: string
}

/** Picture of a car type; renders nothing without one. Dark cars stay visible in the dark theme. */
export function CarPicture({ src, width, height, alt = '' }: Props) {
  if (!src) return null
  return <img className={classes.car} src={src} alt={alt} width={width} height={height} loading="lazy" />
}
