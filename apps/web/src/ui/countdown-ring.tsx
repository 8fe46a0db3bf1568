import { useServerNow } from '../lib/clock.ts'

interface Props {
  /** Epoch ms on the server's clock. */
  endsAt: number
  /** Total duration in seconds. */
  totalS: number
  size?: number
}

/** Seconds left, as a number inside an emptying ring. */
export function CountdownRing({ endsAt, totalS, size = 56 }: Props) {
  const now = useServerNow(250)
  const left = Math.max(0, (endsAt - now) / 1000)
  const radius = size / 2 - 4
  const around = 2 * Math.PI * radius
  return (
    <svg
      width={size}
      height={size}
      viewBox={`0 0 ${size} ${size}`}
      role="timer"
      aria-label={String(Math.ceil(left))}
    >
      <circle cx={size / 2} cy={size / 2} r={radius} fill="none" stroke="var(--h-line)" strokeWidth="5" />
      <circle
        cx={size / 2}
        cy={size / 2}
        r={radius}
        fill="none"
        stroke="var(--h-accent)"
        strokeWidth="5"
        strokeLinecap="round"
        strokeDasharray={around}
        strokeDashoffset={around * (1 - Math.min(1, left / totalS))}
        transform={`rotate(-90 ${size / 2} ${size / 2})`}
        style={{ transition: 'stroke-dashoffset 250ms linear' }}
      />
      <text
        x="50%"
        y="50%"
        dy="0.36em"
        textAnchor="middle"
        fill="var(--h-ink)"
        fontSize={size * 0.32}
        fontWeight="640"
        style={{ fontVariantNumeric: 'tabular-nums' }}
      >
        {Math.ceil(left)}
      </text>
    </svg>
  )
}
