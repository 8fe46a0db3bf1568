import { chatLimits, typingEveryMs } from '@hansom/domain/chats/chat'
import { IconPhoto, IconSend2 } from '@tabler/icons-react'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import type { Written } from '../../entities/chats/outgoing.ts'
import { useText } from '../../lib/i18n.ts'
import { imageStore } from '../../lib/image-store.ts'
import { currentMe } from '../../lib/session.ts'
import { shrinkPhoto } from '../../lib/shrink-photo.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import classes from './composer.module.css'

interface Props {
  onSend: (written: Written) => void
  /** Called while the user writes, at most every two seconds. */
  onTyping: () => void
}

/** The remaining characters are shown from here on. */
const shownLeft = 100

/** Writes a message, or sends a photo. Enter sends on a device with a keyboard; a phone has the button. */
export function Composer({ onSend, onTyping }: Props) {
  const { t } = useText()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<'reading' | 'unreadable' | null>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const typedAt = useRef(0)
  const [fieldId, photoId, leftId] = [useId(), useId(), useId()]
  const left = chatLimits.text - text.length

  const send = () => {
    const message = text.trim()
    if (message === '') return
    onSend({ message })
    setText('')
    setProblem(null)
    typedAt.current = 0
    field.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isEnter = event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing
    if (!isEnter || !matchMedia('(pointer: fine)').matches) return
    event.preventDefault()
    send()
  }
  const onPhoto = async (file: File) => {
    setProblem('reading')
    const photo = await shrinkPhoto(file)
    setProblem(photo ? null : 'unreadable')
    if (photo) onSend({ image: await imageStore.put(currentMe()?.uid ?? '', photo) })
  }
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <div className={classes.photo}>
        <input
          id={photoId}
          className={classes.file}
          type="file"
          accept="image/jpeg,image/png,image/webp"
          onChange={(event) => {
            const file = event.target.files?.[0]
            event.target.value = ''
            if (file) void onPhoto(file)
          }}
        />
        <label
          htmlFor={photoId}
          className={buttonClass({ variant: 'quiet', size: 'icon' })}
          aria-busy={problem === 'reading' || undefined}
        >
          <IconPhoto size={22} aria-hidden />
          <VisuallyHidden>{t('chat.add_photo')}</VisuallyHidden>
        </label>
      </div>
      <label htmlFor={fieldId}>
        <VisuallyHidden>{t('chat.message')}</VisuallyHidden>
      </label>
      <textarea
        ref={field}
        id={fieldId}
        className={classes.field}
        dir="auto"
        rows={1}
        maxLength={chatLimits.text}
        enterKeyHint="send"
        placeholder={t('chat.placeholder')}
        aria-describedby={left <= shownLeft ? leftId : undefined}
        value={text}
        onKeyDown={onKeyDown}
        onChange={({ target }) => {
          setText(target.value)
          const now = performance.now()
          if (target.value === '' || (typedAt.current > 0 && now - typedAt.current < typingEveryMs)) return
          typedAt.current = now
          onTyping()
        }}
      />
      <Button
        type="submit"
        variant="primary"
        size="icon"
        className={classes.send}
        aria-label={t('chat.send')}
        disabled={text.trim() === ''}
      >
        <IconSend2 size={20} aria-hidden />
      </Button>
      {left <= shownLeft ? (
        <output id={leftId} className={classes.left}>
          {t('chat.left', { count: left })}
        </output>
      ) : null}
      {problem === 'unreadable' ? (
        <p className={classes.problem} role="alert">
          {t('chat.photo_unreadable')}
        </p>
      ) : null}
    </form>
  )
}
