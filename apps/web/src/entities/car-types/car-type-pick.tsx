import { useQuery } from '@tanstack/react-query'
import { orpc } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'

/** Car type select for a filter. */
export function CarTypePick({
  value,
  onChange,
}: {
  value: string | undefined
  onChange: (id: string | undefined) => void
}) {
  const { t } = useText()
  const { data: carTypes = [] } = useQuery(orpc.carTypes.list.queryOptions())
  return (
    <select
      aria-label={t('history.carType')}
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value || undefined)}
    >
      <option value="">{t('table.none')}</option>
      {carTypes.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  )
}

/** Name of a car type by id, for filter chips. */
export function CarTypeName({ id }: { id: string }) {
  const { data: carTypes } = useQuery(orpc.carTypes.list.queryOptions())
  return <bdi>{carTypes?.find((one) => one.id === id)?.name ?? '…'}</bdi>
}
