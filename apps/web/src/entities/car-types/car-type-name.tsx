import type { CarType } from '@hansom/contract/car-types'
import { translateExtra } from '@hansom/domain/car-types/check-car-type'
import { translate, translateCopy } from '@hansom/domain/languages/translations'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { orpc } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import { queryClient } from '../../lib/query-client.ts'

const none: readonly CarType[] = []

/** Translates the stored name of a car type, as in bookings, users and receipts. */
export function useCarTypeName(): (stored: string) => string {
  const { langLocale } = useText().language
  // The page follows the list, so names need no request.
  const { data: carTypes = none } = useQuery(
    { ...orpc.carTypes.list.queryOptions(), enabled: false },
    queryClient,
  )
  return useCallback((stored) => translateCopy(carTypes, 'name', stored, langLocale), [carTypes, langLocale])
}

/** Translates the stored description of a parcel type or option. */
export function useExtraText(): (stored: string) => string {
  const { langLocale } = useText().language
  const { data: carTypes = none } = useQuery(
    { ...orpc.carTypes.list.queryOptions(), enabled: false },
    queryClient,
  )
  return useCallback((stored) => translateExtra(carTypes, stored, langLocale), [carTypes, langLocale])
}

/** The stored description of a parcel type or option in the page's language. */
export function ExtraText({ stored }: { stored: string }) {
  return <bdi>{useExtraText()(stored)}</bdi>
}

/** A car type's stored name in the page's language. */
export function CarTypeName({ stored }: { stored: string }) {
  return <bdi>{useCarTypeName()(stored)}</bdi>
}

/** The car types as options to choose from, by id. */
export function useCarTypeChoices(): readonly { value: string; label: string }[] {
  const { langLocale } = useText().language
  const { data: carTypes = none } = useQuery(orpc.carTypes.list.queryOptions())
  return useMemo(
    () => carTypes.map((one) => ({ value: one.id, label: translate(one, 'name', langLocale) })),
    [carTypes, langLocale],
  )
}
