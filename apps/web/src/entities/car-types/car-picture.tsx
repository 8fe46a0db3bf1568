import classes from './car-picture.module.css'

interface Props {
  src: string | null | undefined
  width: number
  height: number
  /** Empty beside its name. */
  alt?: string
}

/** What a car type looks like; a dark car is seen on a dark page too. Nothing without a picture. */
export function CarPicture({ src, width, height, alt = '' }: Props) {
  if (!src) return null
  return <img className={classes.car} src={src} alt={alt} width={width} height={height} loading="lazy" />
}
