import { builtInPictures, isBuiltInPicture } from '@hansom/domain/car-types/check-car-type'
import { IconPhotoOff, IconUpload } from '@tabler/icons-react'
import { useEffect, useId, useRef, useState } from 'react'
import { CarPicture } from '../../entities/car-types/car-picture.tsx'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { pictureProblem, pictureTypes } from '../../lib/upload.ts'
import { buttonClass } from '../../ui/button.tsx'
import form from '../../ui/record-form.module.css'
import classes from './car-types.module.css'

/** A picture in the form: the URL of an existing one, null for none, or a file to be uploaded. */
export type ChosenPicture = { url: string | null } | { file: File }

interface Props {
  /** The URL of the stored picture. */
  current: string | null
  chosen: ChosenPicture
  onChoose: (picture: ChosenPicture) => void
  error?: string | undefined
}

/** The car's picture: a built-in one, an uploaded one, or none. A file is previewed before it is uploaded. */
export function PictureField({ current, chosen, onChoose, error }: Props) {
  const { t } = useText()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<ReturnType<typeof pictureProblem>>(null)
  const preview = useFilePreview('file' in chosen ? chosen.file : null)
  const { category } = useSettings()
  const own = current !== null && !isBuiltInPicture(current) ? current : null
  const url = 'file' in chosen ? null : chosen.url
  const shown = preview ?? url
  const options = [...builtInPictures[category], ...(own ? [own] : []), null]

  const take = (file: File | undefined) => {
    if (!file) return
    const refused = pictureProblem(file)
    setProblem(refused)
    if (!refused) onChoose({ file })
    if (input.current) input.current.value = ''
  }

  return (
    <fieldset className={form.section}>
      <legend>{t('carTypes.picture')}</legend>
      <div className={classes.pictureLine}>
        <span className={classes.chosen}>
          {shown ? (
            <CarPicture src={shown} alt={t('carTypes.picture_shown')} width={192} height={104} />
          ) : (
            <IconPhotoOff size={34} stroke={1.3} aria-label={t('carTypes.picture_none')} />
          )}
        </span>
        <div className={classes.pictureSide}>
          <div className={classes.pictures} role="radiogroup" aria-label={t('carTypes.picture_choose')}>
            {options.map((option) => (
              <label key={option ?? 'none'} className={classes.pictureOption}>
                <input
                  type="radio"
                  name={`${id}-picture`}
                  className={classes.radio}
                  checked={!('file' in chosen) && url === option}
                  onChange={() => {
                    setProblem(null)
                    onChoose({ url: option })
                  }}
                />
                {option ? (
                  <CarPicture src={option} alt={nameOf(option, own, t)} width={64} height={35} />
                ) : (
                  <span className={classes.noPicture}>{t('carTypes.picture_none')}</span>
                )}
              </label>
            ))}
          </div>
          <input
            ref={input}
            id={id}
            className={classes.file}
            type="file"
            accept={pictureTypes.join(',')}
            onChange={(event) => take(event.target.files?.[0])}
          />
          <div>
            <label htmlFor={id} className={buttonClass({ size: 'small' })}>
              <IconUpload size={17} aria-hidden />
              {t('carTypes.picture_upload')}
            </label>
          </div>
          {'file' in chosen ? (
            <p className={form.hint}>
              {t('carTypes.picture_waits')} <bdi>{chosen.file.name}</bdi>
            </p>
          ) : null}
          {problem || error ? (
            <p className={form.error} role="alert">
              {problem ? t(`error.${problem}`) : error}
            </p>
          ) : null}
        </div>
      </div>
    </fieldset>
  )
}

function nameOf(url: string, own: string | null, t: (key: string) => string): string {
  return t(url === own ? 'carTypes.picture_own' : `carTypes.drawn_${url.replace(/^.*\/|\.svg$/g, '')}`)
}

/** A URL for a file that is not uploaded yet. */
function useFilePreview(file: File | null): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!file) return
    const created = URL.createObjectURL(file)
    setUrl(created)
    return () => {
      URL.revokeObjectURL(created)
      setUrl(null)
    }
  }, [file])
  return url
}
