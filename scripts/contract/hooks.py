"""Checks of `npm run test:contract`: input that fits its schema is accepted, or refused by a rule that JSON Schema cannot express."""

import re

import schemathesis
from schemathesis.openapi.checks import RejectedPositiveData
from schemathesis.specs.openapi.checks import positive_data_acceptance

# Refusals (400, 402, 413, 415) of input that fits its schema, each with the reason why JSON Schema cannot express the rule.
# The descriptions state these rules. Any other refusal is a rule that the contract must express.
JUSTIFIED = [
    ("what the workspace has: an id, a number or an account that does not exist", r"not exist in this (workspace|campaign)|is not a (starter template|result of this scrape|sender of this campaign|template of this number)|is not one of|senderIds? is (not )?a Gmail account|of a Gmail account is set by Google|nth is past the end|belongs to another post"),
    ("opaque: a cursor is made by the server", r"is not a cursor of this list"),
    ("compares two fields", r"A contact needs an email address|must be after startsAt|must be before the end|must be at most \d+ days|must be later than the beginning|is for (Gmail|WhatsApp|email)"),
    ("which characters are blank", r"Title and content are required fields"),
    ("compares with the clock", r"is in the future|must be in the future"),
    ("data of another organisation: countries of ISO 3166", r"is not a country code"),
    ("data of another organisation: time zones of IANA", r"is not a time zone"),
    ("data of another organisation: top-level domains", r"is not an email address|email address has|domain does not end|the part (before|after) the @|is not a domain name"),
    ("data of another organisation: phone numbers of a country", r"phone number (has|is|does)|number .*unknown country|is not a phone number"),
    ("a secret: a token, a signature, a password", r"link has expired|already been used|not signed by|not from our form|does not accept this token|password|session"),
    ("what makes a password weak", r"repeats the same|most used passwords|too close to your"),
    ("the content of a file", r"is neither a Ghost export|is not an image|is not an? \.|file is|maps (no column|two columns)|a type that is not accepted|file (has|holds)|The form is incomplete"),
    ("a form cannot say whether a part is a file or a text", r"coverImage contains a character|image is empty"),
    ("JSON inside a field of a form", r"is not a JSON object"),
    ("which text is a web address, by the rules of WHATWG", r"is not a web address|is not a host name or address|buttons of type url need a web address"),
    ("what Meta knows or wants", r"Meta does not (know|accept)|reviewers read it with examples|must have at most (two|one) of type|must be next to each other"),
    ("a program: Liquid, MJML or HTML", r"is not closed|cannot be shown"),
    ("set by the operator", r"set by the operator|is not on the public internet"),
    ("a limit of the plan or of Google", r"plan|more is not possible with this account"),
]


@schemathesis.check
def rules_are_said(ctx, response, case):
    """Schemathesis' positive_data_acceptance, less the justified refusals."""
    try:
        positive_data_acceptance(ctx, response, case)
    except RejectedPositiveData:
        if not any(re.search(pattern, response.text) for _, pattern in JUSTIFIED):
            raise
