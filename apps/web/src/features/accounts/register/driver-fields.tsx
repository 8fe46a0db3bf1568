import { ApiError } from '@hansom/client/api-error'
import { translate } from '@hansom/domain/languages/translations'
import type { UserTextField } from '@hansom/domain/users/field-views'
import { userFields } from '@hansom/domain/users/fields'
import { IconCamera, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { orpc } from '../../../lib/api.ts'
import { useText } from '../../../lib/i18n.ts'
import { pictureProblem, pictureTypes, uploadPicture } from '../../../lib/upload.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { errorText } from '../../../ui/error-message.tsx'
import formClasses from '../../../ui/form-card.module.css'
import type { Problems } from '../../../ui/problem-summary.tsx'
import fieldClasses from '../../../ui/text-field.module.css'
import { TextField } from '../../../ui/text-field.tsx'
import classes from './register-screen.module.css'
import type { SignUpValues } from './sign-up-form.ts'

/** The upload id for the sign-up, once the upload has finished; null without a picture or after a failure. */
export type LicenceUpload = Promise<string | null> | null

interface Props {
  values: SignUpValues
  onChange: (name: keyof SignUpValues, value: string) => void
  onUpload: (upload: LicenceUpload) => void
  problems: Problems
}

/** Additional sign-up fields for drivers: car, car type and licence. */
export function DriverFields({ values, onChange, onUpload, problems }: Props) {
  const { t, language } = useText()
  const id = useId()
  const carTypes = useQuery(orpc.carTypes.list.queryOptions())
  const line = (name: UserTextField<'vehicle'>) => (
    <TextField
      label={t(`register.${name}`)}
      name={name}
      autoComplete="off"
      dir={userFields[name].kind === 'code' ? 'ltr' : 'auto'}
      value={values[name]}
      autoCapitalize={name === 'vehicleNumber' ? 'characters' : undefined}
      // Riders compare it with the plate letter by letter.
      onChange={({ target }) =>
        onChange(name, name === 'vehicleNumber' ? target.value.toUpperCase() : target.value)
      }
      error={problems[name]}
    />
  )
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>{t('register.vehicle')}</legend>
      <div className={formClasses.pair}>
        {line('vehicleMake')}
        {line('vehicleModel')}
        {line('vehicleNumber')}
        <div className={fieldClasses.field}>
          <label className={fieldClasses.label} htmlFor={id}>
            {t('register.carType')}
          </label>
          <select
            id={id}
            name="carType"
            className={`${fieldClasses.input} ${classes.select}`}
            value={values.carType}
            onChange={(event) => onChange('carType', event.target.value)}
            aria-invalid={problems.carType ? true : undefined}
            aria-describedby={problems.carType ? `${id}-error` : undefined}
          >
            <option value="">{t('register.choose')}</option>
            {carTypes.data?.map((carType) => (
              <option key={carType.name} value={carType.name}>
                {translate(carType, 'name', language.langLocale)}
              </option>
            ))}
          </select>
          {problems.carType ? (
            <span id={`${id}-error`} className={fieldClasses.error} role="alert">
              {problems.carType}
            </span>
          ) : null}
        </div>
      </div>
      {line('other_info')}
      <LicenceField onUpload={onUpload} error={problems.licenseImage} />
    </fieldset>
  )
}

interface LicenceProps {
  /** Called when an upload starts, and with null when the picture is removed. */
  onUpload: (upload: LicenceUpload) => void
  error?: ReactNode
}

/** The picture of the driving licence: validated, previewed, and uploaded immediately with progress. */
function LicenceField({ onUpload, error }: LicenceProps) {
  const { t } = useText()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [preview, setPreview] = useState<string | null>(null)
  const [progress, setProgress] = useState<number | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const latest = useRef(0)

  useEffect(() => {
    if (preview) return () => URL.revokeObjectURL(preview)
  }, [preview])

  const remove = () => {
    latest.current++
    if (input.current) input.current.value = ''
    setPreview(null)
    setProgress(null)
    setFailure(null)
    onUpload(null)
  }
  const choose = (file: File | undefined) => {
    if (!file) return
    const problem = pictureProblem(file)
    remove()
    if (problem) return setFailure(new ApiError(problem, 400))
    setPreview(URL.createObjectURL(file))
    setProgress(0)
    onUpload(upload(file, latest.current))
  }
  const upload = async (file: File, attempt: number): Promise<string | null> => {
    const isLatest = () => attempt === latest.current
    const report = (part: number) => isLatest() && setProgress(part)
    try {
      const answer = await uploadPicture('POST', '/api/v1/uploads/licence', file, report)
      return (answer as { uploadId: string }).uploadId
    } catch (cause) {
      if (isLatest()) {
        setPreview(null)
        setProgress(null)
        setFailure(cause)
      }
      return null
    }
  }
  const wrong = failure ? errorText(failure, t) : error

  return (
    <div className={fieldClasses.field}>
      <span id={`${id}-label`} className={fieldClasses.label}>
        {t('register.licence')}
      </span>
      <div className={classes.picture} data-invalid={wrong ? true : undefined}>
        {preview ? (
          <img src={preview} alt={t('register.licence_preview')} className={classes.preview} />
        ) : (
          <IconCamera size={30} stroke={1.5} aria-hidden />
        )}
        <input
          ref={input}
          id={id}
          name="licenseImage"
          className={classes.file}
          type="file"
          accept={pictureTypes.join(',')}
          aria-invalid={wrong ? true : undefined}
          aria-labelledby={`${id}-label`}
          aria-describedby={`${id}-hint ${id}-error`}
          onChange={(event) => choose(event.target.files?.[0])}
        />
        <label htmlFor={id} className={buttonClass({ size: 'small' })}>
          {preview ? t('register.change_picture') : t('register.choose_picture')}
        </label>
      </div>
      {progress === null ? null : (
        <progress
          className={classes.progress}
          data-idle={progress === 1 || undefined}
          value={progress}
          aria-label={t('register.uploading')}
        />
      )}
      <div className={classes.pictureFoot}>
        <output id={`${id}-hint`} className={fieldClasses.hint}>
          {progress === 1 ? t('register.uploaded') : t('register.licence_hint')}
        </output>
        {preview ? (
          <Button size="small" variant="quiet" onClick={remove}>
            <IconTrash size={18} stroke={1.7} aria-hidden />
            {t('register.remove_picture')}
          </Button>
        ) : null}
      </div>
      <span id={`${id}-error`} className={fieldClasses.error} role="alert">
        {wrong ?? ''}
      </span>
    </div>
  )
}
