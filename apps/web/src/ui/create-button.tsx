import { IconPlus } from '@tabler/icons-react'
import { Button } from './button.tsx'
import classes from './create-button.module.css'

/**
 * Button that creates a record. Next to a title on a phone it shows only the plus icon, but keeps its accessible name.
 */
export function CreateButton({
  label,
  onClick,
  showsLabel,
}: {
  label: string
  onClick: () => void
  showsLabel?: true | undefined
}) {
  return (
    <Button variant="primary" className={showsLabel ? '' : classes.create} onClick={onClick}>
      <IconPlus size={19} aria-hidden />
      <span>{label}</span>
    </Button>
  )
}
