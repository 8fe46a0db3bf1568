import { ApiError } from '@hansom/client/api-error'
import type { Me } from '@hansom/contract/users'
import { IconUser } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { api } from '../../../lib/api.ts'
import { useText } from '../../../lib/i18n.ts'
import { refreshMe, storeMe } from '../../../lib/session.ts'
import { pictureProblem, pictureTypes, uploadPicture } from '../../../lib/upload.ts'
import { announce } from '../../../ui/announcer.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'
import classes from './profile-screen.module.css'
import { ErrorNotice } from './section.tsx'

/** The profile photo: choose with an immediate preview, upload with progress, or remove. */
export function PhotoField({ me }: { me: Me }) {
  const { t } = useText()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [preview, setPreview] = useState<string | null>(null)
  const [progress, setProgress] = useState(0)

  useEffect(() => {
    if (preview) return () => URL.revokeObjectURL(preview)
  }, [preview])

  const send = useMutation<unknown, unknown, File>({
    mutationFn: async (file) => {
      remove.reset()
      const problem = pictureProblem(file)
      if (problem) throw new ApiError(problem, 400)
      setPreview(URL.createObjectURL(file))
      setProgress(0)
      return uploadPicture('PUT', '/api/v1/me/photo', file, setProgress)
    },
    onSuccess: async () => {
      await refreshMe()
      announce(t('profile.photo_saved'))
    },
    onError: () => setPreview(null),
    onSettled: () => {
      if (input.current) input.current.value = ''
    },
  })
  const remove = useMutation({
    mutationFn: () => {
      send.reset()
      return api.users.removePhoto()
    },
    onSuccess: (next) => {
      setPreview(null)
      storeMe(next)
      announce(t('profile.photo_removed'))
    },
  })
  const source = preview ?? me.profile_image

  return (
    <div className={classes.photoLine}>
      {source ? (
        <img className={classes.photo} src={source} alt={t('profile.photo')} />
      ) : (
        <span className={classes.photo}>
          <IconUser size={36} stroke={1.4} aria-hidden />
        </span>
      )}
      <div className={classes.photoSide}>
        <p className={classes.name}>
          <bdi>
            {me.firstName} {me.lastName}
          </bdi>
        </p>
        <div className={classes.row}>
          <input
            ref={input}
            id={id}
            className={classes.file}
            type="file"
            accept={pictureTypes.join(',')}
            onChange={(event) => {
              const file = event.target.files?.[0]
              if (file && !send.isPending) send.mutate(file)
            }}
          />
          <label htmlFor={id} className={buttonClass({ size: 'small' })}>
            {source ? t('profile.photo_change') : t('profile.photo_add')}
          </label>
          {source ? (
            <Button size="small" variant="quiet" busy={remove.isPending} onClick={() => remove.mutate()}>
              {t('profile.photo_remove')}
            </Button>
          ) : null}
        </div>
        {send.isPending ? (
          <progress className={classes.progress} value={progress} aria-label={t('register.uploading')} />
        ) : null}
        <ErrorNotice error={send.error ?? remove.error} />
      </div>
    </div>
  )
}
