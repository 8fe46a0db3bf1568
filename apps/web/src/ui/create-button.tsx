import { IconPlus } from '@tabler/icons-react'
import { Button } from './button.tsx'
import classes from './create-button.module.css'

/** Adds one more of what a page shows; beside a title on a phone it is a plus alone, named all the same. */
export function CreateButton({
  label,
  onClick,
  whole,
}: {
  label: string
  onClick: () => void
  whole?: true
}) {
  return (
    <Button variant="primary" className={whole ? '' : classes.create} onClick={onClick}>
      <IconPlus size={19} aria-hidden />
      <span>{label}</span>
    </Button>
  )
}
