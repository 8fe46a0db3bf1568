import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useText } from '../lib/i18n.ts'
import { buttonClass } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { DownloadLink } from './download-link.tsx'
import classes from './picture-dialog.module.css'

interface Props {
  src: string
  /** Names the picture: the title, and its text alternative. */
  label: string
  /** Offers to save the picture; its URL names the file. */
  canDownload?: boolean
  onClose: () => void
}

/** A picture that fits the window; a press shows it in its own size, and another one fits it again. */
export function PictureDialog({ src, label, canDownload = false, onClose }: Props) {
  const { t } = useText()
  const [isZoomed, setZoomed] = useState(false)
  const [isCut, setCut] = useState(false)
  return (
    <Dialog
      open
      isText
      onClose={onClose}
      title={label}
      width={960}
      footer={
        canDownload ? (
          <DownloadLink href={src} className={buttonClass({ wide: true })}>
            <IconDownload size={18} aria-hidden />
            {t('common.download')}
          </DownloadLink>
        ) : undefined
      }
    >
      <button
        type="button"
        className={classes.frame}
        aria-pressed={isZoomed}
        aria-label={t('common.own_size', { name: label })}
        data-zoomed={isZoomed || undefined}
        disabled={!isCut}
        onClick={() => setZoomed(!isZoomed)}
      >
        <img
          className={classes.picture}
          src={src}
          alt={label}
          onLoad={({ currentTarget: { naturalWidth, clientWidth } }) => setCut(naturalWidth > clientWidth)}
        />
      </button>
    </Dialog>
  )
}
