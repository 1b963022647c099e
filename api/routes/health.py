"""Whether the service lives, whether it can read photos, and its figures."""

from fastapi import APIRouter
from starlette.responses import Response

from api import metrics
from api.deps import ServiceDep
from api.problems import Problem
from api.strict_json import JsonAnswer

router = APIRouter(tags=["operation"])


@router.get("/healthz", response_model=dict[str, str])
def healthz() -> JsonAnswer:
    """Say that the process answers."""
    return JsonAnswer({"status": "ok"})


@router.get("/readyz", response_model=dict[str, str], responses={503: {"description": "Not ready yet."}})
def readyz(service: ServiceDep) -> JsonAnswer:
    """Say whether the networks are loaded and the database answers."""
    if service.pool.fault:
        raise Problem(503, "networks_unusable", f"No photo can be read: {service.pool.fault}.")
    if not service.pool.is_ready:
        raise Problem(503, "warming_up", "The networks are being loaded.", headers={"Retry-After": "2"})
    if not service.database.is_answering():
        raise Problem(503, "database_away", "The database does not answer.", headers={"Retry-After": "5"})
    return JsonAnswer({"status": "ready"})


@router.get("/metrics", response_class=Response)
def figures(service: ServiceDep) -> Response:
    """Return the figures for Prometheus."""
    return Response(service.metrics.text(), media_type=metrics.MEDIA_TYPE)
