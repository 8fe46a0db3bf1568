import type { AdminCarType } from '@hansom/contract/car-types'
import type { CarTypeFields } from '@hansom/domain/car-types/check-car-type'
import { api } from '../../lib/api.ts'
import { uploadPicture } from '../../lib/upload.ts'
import type { ChosenPicture } from './picture-field.tsx'

interface Saving {
  /** The record as it was read; null for a new one. */
  base: AdminCarType | null
  draft: CarTypeFields & { isPlaced: boolean }
  picture: ChosenPicture
  /** The fields are kept, the picture may still be refused. */
  onKept: (carType: AdminCarType) => void
}

/** Adds or changes a car type, and then sends its picture if it is a file. Throws an ApiError. */
export async function saveCarType({ base, draft, picture, onKept }: Saving): Promise<AdminCarType> {
  const { isPlaced, position, cancelSlab, ...rest } = draft
  const fields = {
    ...rest,
    cancelSlab: [...cancelSlab],
    ...(isPlaced ? { position } : {}),
    ...('file' in picture ? {} : { image: picture.address }),
  }
  const kept = base
    ? await api.carTypes.update({ ...fields, id: base.id, version: base.version })
    : await api.carTypes.create(fields)
  onKept(kept)
  if (!('file' in picture)) return kept
  const path = `/api/v1/car-types/${kept.id}/image?version=${kept.version}`
  return (await uploadPicture('PUT', path, picture.file, () => {})) as AdminCarType
}
