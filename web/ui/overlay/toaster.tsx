import { Toaster as Sonner } from 'sonner'

export { toast } from 'sonner'

/** Where short confirmations appear. Once, in the shell; call `toast('Saved the list')` anywhere below. */
export function Toaster() {
  return (
    <Sonner
      className="font-sans!"
      position="bottom-right"
      mobileOffset={{ bottom: 72 }}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            'flex w-full items-center gap-2.5 rounded-card border bg-raised px-4 py-3 text-base text-ink shadow-float',
          description: 'text-sm text-muted',
          error: 'border-harm/40',
          success: 'border-good/40',
          icon: '[&_svg]:size-4.5',
          actionButton: 'ml-auto rounded-control px-2 py-1 font-medium text-accent-text hover:bg-hover',
        },
      }}
    />
  )
}
