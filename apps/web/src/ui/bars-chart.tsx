import { BarChart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import { useText } from '../lib/i18n.ts'

export interface BarsSeries<Datum> {
  name: string & keyof Datum
  /** Translated words. */
  label: string
  color: string
}

interface Props<Datum extends object, Key extends string & keyof Datum> {
  /** In the order of time. */
  data: Datum[]
  dataKey: Key
  series: readonly BarsSeries<Datum>[]
  /** What it shows, said to whoever does not see it. */
  label: string
  /** Pixels, or a share of what is around it. */
  height: number | `${number}%`
  className?: string | undefined
  /** A value in words, on the axis and beside the bar that is pointed at. */
  write: (value: number) => string
  /** Below a bar. */
  mark: (at: Datum[Key]) => string
  /** Over a bar that is pointed at. */
  title: (at: Datum[Key]) => string
  /** Room for the words of values, px. */
  axisWidth: number
  /** Room between two marks, px. */
  markGap: number
  wholeNumbers?: boolean
  onChoose?: (at: Datum[Key]) => void
}

/**
 * Bars over time, which runs with the language. Read out as one picture: the numbers stand in a table beside it. Bars at
 * the ends stay off the axis, on whichever side it is.
 */
export function BarsChart<Datum extends object, Key extends string & keyof Datum>(props: Props<Datum, Key>) {
  const { language } = useText()
  const { data, dataKey, series, onChoose } = props
  const mirrored = language.direction === 'rtl'
  // Before the first bar is pointed at, the picture asks for the words of none.
  const written = (at: unknown, write: (at: Datum[Key]) => string) =>
    at === undefined || at === null || at === '' ? '' : write(at as Datum[Key])
  return (
    // Drawn from left to right in every language; the axes turn round by themselves.
    <div dir="ltr" role="img" aria-label={props.label} className={props.className}>
      <BarChart
        h={props.height}
        data={data as Record<string, unknown>[]}
        dataKey={dataKey}
        series={[...series]}
        valueFormatter={props.write}
        gridAxis="x"
        tickLine="none"
        maxBarWidth={26}
        xAxisProps={{
          reversed: mirrored,
          tickFormatter: (at: unknown) => written(at, props.mark),
          padding: { left: 8, right: 8 },
          minTickGap: props.markGap,
        }}
        yAxisProps={{
          orientation: mirrored ? 'right' : 'left',
          width: props.axisWidth,
          tickCount: 4,
          tickMargin: 10,
          allowDecimals: props.wholeNumbers !== true,
        }}
        barProps={{
          radius: [4, 4, 0, 0],
          isAnimationActive: false,
          ...(onChoose && {
            cursor: 'pointer',
            onClick: ({ payload }: { payload?: Datum }) => {
              if (payload !== undefined) onChoose(payload[dataKey])
            },
          }),
        }}
        tooltipProps={{
          labelFormatter: (at: unknown) => written(at, props.title),
          isAnimationActive: false,
        }}
        accessibilityLayer={false}
      />
    </div>
  )
}
