import { useState } from 'react'
import { PictureDialog } from '../../ui/picture-dialog.tsx'
import classes from './chat-photo.module.css'

/** A photo among the messages, which opens large. */
export function ChatPhoto({ src, label }: { src: string; label: string }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" className={classes.photo} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <img src={src} alt={label} />
      </button>
      {open ? <PictureDialog src={src} label={label} canDownload onClose={() => setOpen(false)} /> : null}
    </>
  )
}
