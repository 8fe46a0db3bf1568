import {
  Bar,
  BarChart,
  CartesianGrid,
  ResponsiveContainer,
  Tooltip,
  type TooltipContentProps,
  XAxis,
  YAxis,
} from 'recharts'
import { useText } from '../lib/i18n.ts'
import classes from './bars-chart.module.css'

export interface BarsSeries<Datum> {
  name: string & keyof Datum
  /** Translated. */
  label: string
  color: string
}

interface Props<Datum extends object, Key extends string & keyof Datum> {
  /** In chronological order. */
  data: Datum[]
  dataKey: Key
  series: readonly BarsSeries<Datum>[]
  /** Accessible name. */
  label: string
  /** Pixels, or a percentage of the container. */
  height: number | `${number}%`
  className?: string | undefined
  /** Formats a value, on the axis and in the tooltip. */
  write: (value: number) => string
  /** Label below a bar. */
  mark: (at: Datum[Key]) => string
  /** Title of the tooltip. */
  title: (at: Datum[Key]) => string
  /** Width of the value axis, px. */
  axisWidth: number
  /** Minimum gap between two labels, px. */
  markGap: number
  wholeNumbers?: boolean
  onChoose?: (at: Datum[Key]) => void
}

/**
 * Bar chart over time, which runs in the reading direction. Exposed as a single image; the numbers must be in a table
 * next to it. The first and last bars keep a distance from the axis on either side.
 */
export function BarsChart<Datum extends object, Key extends string & keyof Datum>(props: Props<Datum, Key>) {
  const { language } = useText()
  const { data, dataKey, series, onChoose } = props
  const mirrored = language.direction === 'rtl'
  // Until a bar is hovered, recharts asks for the label of an empty value.
  const formatKey = (at: unknown, write: (at: Datum[Key]) => string) =>
    at === undefined || at === null || at === '' ? '' : write(at as Datum[Key])
  return (
    // Always laid out left to right; the axes are mirrored separately.
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the chart is drawn by a component
    <div dir="ltr" role="img" aria-label={props.label} className={props.className}>
      <ResponsiveContainer width="100%" height={props.height} className={classes.chart ?? ''}>
        <BarChart data={data as Record<string, unknown>[]} maxBarSize={26} accessibilityLayer={false}>
          <CartesianGrid vertical={false} strokeDasharray="5 5" className={classes.grid} />
          <XAxis
            {...axis}
            dataKey={dataKey}
            reversed={mirrored}
            tickFormatter={(at: unknown) => formatKey(at, props.mark)}
            padding={{ left: 8, right: 8 }}
            tickMargin={10}
            minTickGap={props.markGap}
            interval="equidistantPreserveStart"
          />
          <YAxis
            {...axis}
            orientation={mirrored ? 'right' : 'left'}
            width={props.axisWidth}
            tickFormatter={props.write}
            tickCount={4}
            tickMargin={10}
            allowDecimals={props.wholeNumbers !== true}
          />
          <Tooltip
            isAnimationActive={false}
            position={{ y: 0 }}
            cursor={{ className: classes.cursor }}
            content={(shown: TooltipContentProps) => (
              <ChartTooltip
                title={formatKey(shown.label, props.title)}
                shown={shown}
                series={series}
                write={props.write}
              />
            )}
          />
          {series.map(({ name, color }) => (
            <Bar
              key={name}
              dataKey={name as string}
              name={name}
              fill={color}
              radius={[4, 4, 0, 0]}
              isAnimationActive={false}
              {...(onChoose && {
                cursor: 'pointer',
                onClick: ({ payload }: { payload?: Datum }) => {
                  if (payload !== undefined) onChoose(payload[dataKey])
                },
              })}
            />
          ))}
        </BarChart>
      </ResponsiveContainer>
    </div>
  )
}

const axis = {
  axisLine: false,
  tickLine: false,
  stroke: '',
  tick: { fontSize: 12, fill: 'currentColor' },
} as const

interface ChartTooltipProps {
  title: string
  shown: TooltipContentProps
  series: readonly { name: string; label: string; color: string }[]
  write: (value: number) => string
}

/** The tooltip with the values of the hovered bar. */
function ChartTooltip({ title, shown, series, write }: ChartTooltipProps) {
  if (!shown.active) return null
  return (
    <div className={classes.words} dir="auto">
      <p className={classes.title}>{title}</p>
      <dl className={classes.values}>
        {series.map(({ name, label, color }) => {
          const value = shown.payload.find(({ dataKey }) => dataKey === name)?.value
          return typeof value === 'number' ? (
            <div key={name} className={classes.value}>
              <dt>
                <span className={classes.dot} style={{ background: color }} />
                {label}
              </dt>
              <dd>
                <bdi>{write(value)}</bdi>
              </dd>
            </div>
          ) : null
        })}
      </dl>
    </div>
  )
}
