import type { PageTexts } from './texts.ts'

export const pt: PageTexts = {
  title: 'As suas preferências de email',
  intro: 'Escolha o que {sender} envia para {address}.',
  saved: 'As suas alterações foram guardadas.',
  unsubscribed:
    'A sua subscrição foi cancelada. {sender} não voltará a escrever-lhe. Uma mensagem já enviada ainda pode chegar.',
  linkSent: 'Enviámos um link para {address}. É válido durante 24 horas.',
  tooMany: 'Esta página foi usada muitas vezes na última hora. Tente mais tarde. Nada foi alterado.',
  noEmail:
    'O remetente não tem um endereço de email seu, por isso não é possível enviar um link. Contacte diretamente o remetente.',
  blocked: 'O seu endereço está bloqueado e não recebe emails. Para voltar a recebê-los, contacte {sender}.',
  moved:
    'Este email foi enviado para {address}. {sender} tem agora outro endereço seu, pelo que as suas preferências só podem ser alteradas com a ligação de um email enviado para esse outro endereço. Aqui ainda pode cancelar a subscrição.',
  removed:
    '{sender} removeu-o dos seus contactos, por isso não há preferências para alterar. Os seus dados podem ser restaurados durante um máximo de 24 horas. Para que sejam apagados definitivamente, peça um link: enviamo-lo para {address}.',
  emailsOff: 'Não recebe emails de {sender}. Selecione Email e guarde para voltar a escolher listas.',
  lists: 'O que gostaria de receber?',
  noLists: 'Não há listas para escolher.',
  channels: 'Como podemos contactar consigo?',
  email: 'Email',
  frequency: 'Com que frequência?',
  all: 'Todos os emails',
  weekly: 'No máximo um email por semana',
  pause: 'Nenhum email durante 30 dias',
  paused: 'Nenhum email até {date}',
  save: 'Guardar alterações',
  unsubscribeAll: 'Cancelar tudo',
  unsubscribeHint: {
    email: 'Termina de imediato todos os emails de {sender}.',
    whatsapp: 'Termina de imediato todas as mensagens de WhatsApp de {sender}.',
    both: 'Termina de imediato todos os emails e mensagens de WhatsApp de {sender}.',
  },
  why: 'Porque recebi este email?',
  sentOn: 'O email «{subject}» foi enviado para {address} em {date}.',
  sources: {
    import: '{sender} adicionou-o a partir de um ficheiro de contactos em {date}.',
    form: 'Inscreveu-se com um formulário em {date}.',
    collected: '{sender} encontrou o seu endereço numa página web pública e adicionou-o em {date}.',
    other: '{sender} adicionou-o em {date}.',
  },
  confirmed: 'Aceitou receber {list} em {date}.',
  agreed: '{sender} declara que já tinha aceitado {list}: «{evidence}»',
  found: 'O seu endereço foi encontrado em {url} em {date}.',
  bases: {
    consent: 'Fundamento legal: o seu consentimento.',
    customer: 'Fundamento legal: é cliente.',
    legitimate_interest: 'Fundamento legal: interesse legítimo.',
  },
  noEvidence: 'Não há aqui nenhuma prova do seu consentimento. Peça-a a {sender}.',
  postalAddress: 'Morada do remetente',
  noPostalAddress: 'O remetente não indicou uma morada.',
  data: 'Os seus dados',
  dataHint: 'Para proteger os seus dados, enviamos um link para o endereço que {sender} tem de si.',
  askData: 'Descarregar os meus dados',
  askErasure: 'Apagar os meus dados',
  download: {
    title: 'Descarregar os seus dados',
    text: 'O ficheiro contém tudo o que {sender} guardou aqui sobre si.',
    button: 'Descarregar ficheiro',
    subject: 'Os seus dados em {sender}',
    body: 'Pediu os dados que {sender} guardou sobre si. Descarregue-os aqui:\n\n{link}\n\nO link é válido durante 24 horas. Se não os pediu, ignore este email.',
  },
  erase: {
    title: 'Apagar os seus dados?',
    text: '{sender} apagará tudo o que está guardado aqui sobre si e não voltará a escrever-lhe. Não é possível anular.',
    button: 'Apagar os meus dados',
    subject: 'Confirme que {sender} apaga os seus dados',
    body: 'Pediu a {sender} que apague tudo o que está guardado sobre si. Confirme aqui:\n\n{link}\n\nO link é válido durante 24 horas. Sem ele nada é apagado. Se não o pediu, ignore este email.',
    done: 'Os seus dados foram apagados',
    doneText:
      'Não receberá mais emails de {sender}. Fica apenas um código ilegível do seu endereço, para não ser adicionado de novo por engano.',
  },
  expired: {
    title: 'Este link expirou',
    text: 'Os links são válidos durante 24 horas. Peça um novo na página das suas preferências.',
  },
  gone: {
    title: 'Já não há nada para gerir',
    text: 'O remetente eliminou os seus dados, por isso não há preferências para alterar. Não receberá mais emails, a menos que volte a inscrever-se.',
  },
  test: {
    title: 'Isto foi um teste',
    text: 'A mensagem foi um teste. Numa mensagem real, esta página mostra o que o destinatário pode escolher.',
  },
  leave: {
    title: 'Cancelar subscrição',
    text: 'Emails de {sender} para {address}. Ainda nada foi alterado.',
    choice: 'O que pretende deixar de receber?',
    all: 'Todos os emails de {sender}',
    list: 'Apenas a lista de distribuição desta mensagem',
    button: 'Cancelar subscrição',
    done: 'A sua subscrição foi cancelada',
    doneAll: '{sender} não enviará mais emails para {address}.',
    doneList:
      '{address} já não está na lista de distribuição dessa mensagem. Ainda podem chegar outros emails de {sender}.',
    atOnce: 'Tem efeito imediato. Uma mensagem já enviada ainda pode chegar.',
    again: 'Mudou de ideias? Só você pode voltar atrás: subscreva novamente junto do remetente ou contacte-o.',
    preferences: 'Gerir preferências',
    gone: {
      title: 'Não receberá mais emails',
      text: 'O remetente dessa mensagem encerrou a conta e todos os seus contactos foram eliminados. Não receberá mais emails dele.',
    },
    test: {
      title: 'Isto foi um teste',
      text: 'A mensagem foi um teste, por isso não há subscrição para cancelar. Numa mensagem real, esta página pergunta o que pretende deixar de receber.',
    },
  },
  confirm: {
    title: 'Confirme a sua subscrição',
    text: 'Receberá {lists} assim que confirmar. Pode cancelar a subscrição a qualquer momento.',
    button: 'Confirmar subscrição',
    decline: 'Não pedi isto',
    done: {
      title: 'A sua subscrição está confirmada',
      text: 'Obrigado. Receberá {lists} por email.',
    },
    declined: {
      title: 'Não voltaremos a perguntar',
      text: 'Obrigado por nos avisar. O seu endereço não foi subscrito em nada.',
    },
    left: {
      title: 'A sua subscrição foi cancelada',
      text: 'Cancelou a subscrição depois de este link ser enviado, por isso já não funciona. Para voltar a receber {lists}, subscreva novamente onde o encontrou.',
    },
    expired: {
      title: 'Este link expirou',
      text: 'Os links são válidos durante {days} dias e ninguém usou este. Não está subscrito. Para subscrever, preencha novamente o formulário onde o encontrou.',
    },
    again: {
      text: 'Não está subscrito em {lists}. Se ainda quiser receber, podemos enviar-lhe um novo link por email.',
      button: 'Enviar um novo link',
    },
    sent: {
      title: 'Verifique a sua caixa de entrada',
      text: 'Enviámos-lhe um novo link por email. É válido durante {days} dias.',
    },
    full: {
      title: 'As subscrições estão fechadas',
      text: 'Nada foi alterado. Tente novamente dentro de alguns dias.',
    },
  },
}
