import { builtInPictures } from '@hansom/domain/car-types/built-in-pictures'
import { IconCarOff, IconUpload } from '@tabler/icons-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useText } from '../../lib/i18n.ts'
import { pictureProblem, pictureTypes } from '../../lib/upload.ts'
import form from '../../ui/record-form.module.css'
import { buttonClass } from '../../ui/button.tsx'
import { CarPicture } from '../../entities/car-types/car-picture.tsx'
import classes from './picture-field.module.css'

/** The picture a form asks for: an address that is shown already or drawn, none, or a file that is still to be sent. */
export type ChosenPicture = { address: string | null } | { file: File }

interface Props {
  /** The address that the record has now. */
  current: string | null
  chosen: ChosenPicture
  onChoose: (picture: ChosenPicture) => void
  error?: string | undefined
}

/** The car's picture: one of the drawn ones, one of one's own, or none. A file is seen before it is sent. */
export function PictureField({ current, chosen, onChoose, error }: Props) {
  const { t } = useText()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState<ReturnType<typeof pictureProblem>>(null)
  const preview = useFilePreview('file' in chosen ? chosen.file : null)
  const own = current !== null && !(builtInPictures as readonly string[]).includes(current) ? current : null
  const address = 'file' in chosen ? null : chosen.address
  const shown = preview ?? address
  const options = [...builtInPictures, ...(own ? [own] : []), null]

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
      <div className={classes.line}>
        <span className={classes.shown}>
          {shown ? (
            <CarPicture src={shown} alt={t('carTypes.picture_shown')} width={192} height={104} />
          ) : (
            <IconCarOff size={34} stroke={1.3} aria-label={t('carTypes.picture_none')} />
          )}
        </span>
        <div className={classes.side}>
          <div className={classes.options} role="radiogroup" aria-label={t('carTypes.picture_choose')}>
            {options.map((option) => (
              <label key={option ?? 'none'} className={classes.option}>
                <input
                  type="radio"
                  name={`${id}-picture`}
                  className={classes.radio}
                  checked={!('file' in chosen) && address === option}
                  onChange={() => {
                    setProblem(null)
                    onChoose({ address: option })
                  }}
                />
                {option ? (
                  <CarPicture src={option} alt={nameOf(option, own, t)} width={64} height={35} />
                ) : (
                  <span className={classes.none}>{t('carTypes.picture_none')}</span>
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

function nameOf(address: string, own: string | null, t: (key: string) => string): string {
  return t(
    address === own ? 'carTypes.picture_own' : `carTypes.drawn_${address.replace(/^.*\/|\.svg$/g, '')}`,
  )
}

/** An address for a file that is not sent yet. */
function useFilePreview(file: File | null): string | null {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    if (!file) return
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => {
      URL.revokeObjectURL(made)
      setAddress(null)
    }
  }, [file])
  return address
}
