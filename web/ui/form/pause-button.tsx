import { Pause, Play } from 'lucide-react'
import { Button } from './button.tsx'

interface PauseButtonProps {
  isPaused: boolean
  busy: boolean
  /** What is paused, where the page does not make it plain: "sending". */
  what?: string
  onPress: (act: 'pause' | 'resume') => void
}

/** Pauses work that runs on the server, or resumes it. */
export function PauseButton({ isPaused, busy, what, onPress }: PauseButtonProps) {
  const Icon = isPaused ? Play : Pause
  return (
    <Button
      kind={isPaused ? 'primary' : 'secondary'}
      busy={busy}
      icon={<Icon aria-hidden="true" className="size-4" />}
      onClick={() => onPress(isPaused ? 'resume' : 'pause')}
    >
      {[isPaused ? 'Resume' : 'Pause', what].filter(Boolean).join(' ')}
    </Button>
  )
}
