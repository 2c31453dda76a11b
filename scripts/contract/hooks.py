"""Checks of `npm run test:contract`: input that fits its schema is accepted, or refused by a rule that no schema can say."""

import re

import schemathesis
from schemathesis.openapi.checks import RejectedPositiveData
from schemathesis.specs.openapi.checks import positive_data_acceptance

# The refusals (400, 402, 413, 415) of input that fits its schema, each with the reason why JSON Schema cannot say it. The
# documents say them in words. Anything else is a rule that the contract has to say.
JUSTIFIED = [
    ("what the workspace has: an id, a number or an account that is not there", r"does not name (something of yours|one of your)|none of (your|yours|ours|the accounts|this collection)|is not one of|senderId is (no|a) Gmail account|nth is past the end|belongs to another post"),
    ("opaque: a cursor is made by the server", r"is not a cursor of this list"),
    ("compares two fields", r"must be after startsAt|has to lie before the end|may lie \d+ days|must be later than the beginning|is for (Gmail|WhatsApp|email)"),
    ("which characters are blank", r"Title and content are required fields"),
    ("compares with the clock", r"lies ahead|is over already"),
    ("data of another organisation: countries of ISO 3166", r"is not a country we know"),
    ("data of another organisation: time zones of IANA", r"is not a time zone"),
    ("data of another organisation: top-level domains", r"is not an email address|email address has|domain does not end|the part (before|after) the @|is not a domain name"),
    ("data of another organisation: phone numbers of a country", r"phone number (has|is|does)|number .*unknown country"),
    ("a secret: a token, a signature, a password", r"link was used already|not signed by|not from our form|does not take this token|password|session"),
    ("what makes a password weak", r"repeats the same|most used passwords|too close to your"),
    ("the content of a file", r"is neither a Ghost export|is not an image|is not a picture|is not an? \.|is a picture, not a table|file is|names no column|file (has|holds)|The form is incomplete"),
    ("a form cannot say whether a part is a file or a text", r"coverImage contains a character|image is empty"),
    ("JSON inside a field of a form", r"is not a JSON object"),
    ("which text is a web address, by the rules of WHATWG", r"is not a web address|buttons that lead somewhere need an address"),
    ("what Meta knows or wants", r"Meta knows no such|reviewers read it with examples|may be (two addresses|one phone number) at most"),
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
