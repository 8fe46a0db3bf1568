import { useEffect, useId, useState } from 'react'
import { useText } from '../../lib/i18n.ts'
import { shrinkPhoto } from '../../lib/shrink-photo.ts'
import { buttonClass } from '../../ui/button.tsx'
import own from './stop-list.module.css'

interface PhotoFieldProps {
  /** URL of a photo that was uploaded before. */
  stored: string | null
  photo: Blob | undefined
  alt: string
  onPhoto: (photo: Blob) => void
}

/** A photo taken with the device's camera, shrunk before it is uploaded. */
export function PhotoField({ stored, photo, alt, onPhoto }: PhotoFieldProps) {
  const { t } = useText()
  const id = useId()
  const [preview, setPreview] = useState<string | null>(null)
  const [state, setState] = useState<'reading' | 'unreadable' | null>(null)
  useEffect(() => {
    if (!photo) return
    const url = URL.createObjectURL(photo)
    setPreview(url)
    return () => URL.revokeObjectURL(url)
  }, [photo])
  const take = async (file: File) => {
    setState('reading')
    const small = await shrinkPhoto(file)
    setState(small ? null : 'unreadable')
    if (small) onPhoto(small)
  }
  const shown = preview ?? stored
  return (
    <>
      {shown ? <img className={own.photo} src={shown} alt={alt} /> : null}
      <div>
        <input
          id={id}
          className={own.file}
          type="file"
          accept="image/jpeg,image/png,image/webp"
          capture="environment"
          onChange={(event) => {
            const file = event.target.files?.[0]
            event.target.value = ''
            if (file) void take(file)
          }}
        />
        <label
          htmlFor={id}
          className={buttonClass({ wide: true })}
          aria-busy={state === 'reading' || undefined}
        >
          {t(shown ? 'courier.photo_again' : 'courier.photo_take')}
        </label>
      </div>
      {state === 'unreadable' ? (
        <span className={own.problem} role="alert">
          {t('error.unsupported_media')}
        </span>
      ) : null}
    </>
  )
}
