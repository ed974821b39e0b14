import type { ButtonHTMLAttributes } from 'react'
import { Icon, type IconName } from './icon.tsx'

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: 'main' | 'plain' | 'danger'
  icon?: IconName
  isBusy?: boolean
}

export function Button({ variant = 'plain', icon, isBusy = false, children, ...rest }: ButtonProps) {
  return (
    <button type="button" {...rest} className={`button ${variant}`} aria-busy={isBusy}>
      {isBusy ? <span className="spinner" aria-hidden="true" /> : icon && <Icon name={icon} />}
      {children}
    </button>
  )
}
