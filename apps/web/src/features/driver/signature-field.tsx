import { useEffect, useRef } from 'react'
import SignaturePad from 'signature_pad'
import { Button } from '../../ui/button.tsx'
import own from './stop-list.module.css'

interface Props {
  label: string
  clear: string
  /** The signature as a picture after each stroke; null once cleared. */
  onChange: (picture: Blob | null) => void
}

/** A field to sign in with a finger. */
export default function SignatureField({ label, clear, onChange }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const pad = useRef<SignaturePad>(undefined)
  const notify = useRef(onChange)
  notify.current = onChange
  useEffect(() => {
    const drawn = canvas.current
    if (!drawn) return
    // As many pixels as the screen has, so that strokes are sharp and below the finger.
    const { width, height } = drawn.getBoundingClientRect()
    drawn.width = width * devicePixelRatio
    drawn.height = height * devicePixelRatio
    drawn.getContext('2d')?.scale(devicePixelRatio, devicePixelRatio)
    const signature = new SignaturePad(drawn, { backgroundColor: '#fff', penColor: '#121417' })
    pad.current = signature
    signature.addEventListener('endStroke', () =>
      drawn.toBlob((picture) => notify.current(picture), 'image/png'),
    )
    return () => signature.off()
  }, [])
  return (
    <>
      <canvas ref={canvas} className={own.signature} tabIndex={-1}>
        {label}
      </canvas>
      <Button
        variant="quiet"
        onClick={() => {
          pad.current?.clear()
          onChange(null)
        }}
      >
        {clear}
      </Button>
    </>
  )
}
